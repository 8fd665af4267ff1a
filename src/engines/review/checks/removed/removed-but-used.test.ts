/** Removed names that are still used, in the languages that are known, on real repositories. */
import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../../../../test/helpers/git/review-change.ts';

describe('removed_but_used', () => {
  it('tells classes of other namespaces apart', async () => {
    const before = {
      'app/Kernel.php': '<?php\nnamespace Acme\\Console;\nclass Kernel {}\n',
      'public/index.php': '<?php\nuse Vendor\\Http\\Kernel;\nKernel::run();\n',
    };
    const own = { 'app/Run.php': '<?php\nuse Acme\\Console\\Kernel;\nKernel::run();\n' };
    expect(await findingsOf(before, { 'app/Kernel.php': null }, 'removed_but_used')).toEqual([]);
    expect(await findingsOf({ ...before, ...own }, { 'app/Kernel.php': null }, 'removed_but_used')).toEqual([
      'removed_but_used app/Kernel.php:3 Kernel was removed but is still used',
    ]);
  });

  it('finds uses of removed and renamed exports in TypeScript, Python, Go and Java', async () => {
    expect(
      await findingsOf(
        {
          'src/money.ts': 'export function format(n: number) { return n; }\nexport const RATE = 2;\n',
          'src/cart.ts': "import { format } from './money.ts';\nformat(1);\n",
          'app/mail.py': 'def send(to):\n    pass\n',
          'app/jobs.py': 'from app.mail import send\nsend("x")\n',
          'pkg/store/store.go': 'package store\n\nfunc Open() {}\nfunc Close() {}\n\ntype Disk struct{}\n',
          'pkg/store/kind.go':
            'package store\n\nfunc kind(of any) {\n\tswitch of.(type) {\n\tcase Disk:\n\t}\n}\n',
          'cmd/main.go':
            'package main\n\nimport "example.com/shop/pkg/store"\n\nfunc main() { store.Open() }\n',
          'src/main/java/shop/Invoice.java': 'package shop;\npublic class InvoicePrinter { }\n',
          'src/main/java/shop/Main.java':
            'package till;\nimport shop.InvoicePrinter;\nclass Main { InvoicePrinter printer; }\n',
        },
        {
          'src/money.ts': 'export function formatAmount(n: number) { return n; }\nexport const RATE = 2;\n',
          'app/mail.py': 'def deliver(to):\n    pass\n',
          'pkg/store/store.go': 'package store\n\nfunc Close() {}\n',
          'src/main/java/shop/Invoice.java': null,
        },
        'removed_but_used',
      ),
    ).toEqual([
      'removed_but_used app/mail.py:1 send was removed but is still used',
      'removed_but_used pkg/store/store.go:3 Open was removed but is still used',
      'removed_but_used pkg/store/store.go:6 Disk was removed but is still used',
      'removed_but_used src/main/java/shop/Invoice.java:2 InvoicePrinter was removed but is still used',
      'removed_but_used src/money.ts:1 format was removed but is still used',
    ]);
  });

  it('leaves out imports that a Python file can do without', async () => {
    const before = { 'app/fast.py': 'def quick_sort(a):\n    pass\n' };
    const after = { 'app/fast.py': 'X = 1\n' };
    const using = (text: string) => findingsOf({ ...before, 'app/run.py': text }, after, 'removed_but_used');
    const found = ['removed_but_used app/fast.py:1 quick_sort was removed but is still used'];
    const imported = 'from app.fast import quick_sort';
    const block = 'from app.fast import (\n        quick_sort,\n    )';
    for (const each of [imported, block]) {
      expect(
        await using(
          `try:\n    import x\n    ${each}\n# Not there\nexcept ImportError:\n    quick_sort = None\n`,
        ),
      ).toEqual([]);
      expect(
        await using(`def f():\n  try:\n    ${each}\n  except (ModuleNotFoundError, OSError):\n    pass\n`),
      ).toEqual([]);
      expect(await using(`try:\n    ${each}\nexcept OSError:\n    pass\n`)).toEqual(found);
      expect(await using(`try:\n    import x\nexcept ImportError:\n    ${each}\n`)).toEqual(found);
    }
    const attribute = 'from app import fast\ntry:\n    fast.quick_sort([])\nexcept ImportError:\n    pass\n';
    expect(await using(attribute)).toEqual(found);
  });

  it('leaves alone files of CommonJS that pass on what they do not name', async () => {
    const before = {
      'lib/a.js': 'exports.fooThing = function () {};\n',
      'b.js': "const a = require('./lib/a');\nconst { fooThing } = require('./lib/a');\na.fooThing();\n",
    };
    const changed = (text: string) => findingsOf(before, { 'lib/a.js': text }, 'removed_but_used');
    for (const text of [
      "module.exports = require('./impl');\n",
      "exports = module.exports = make(require('./impl'));\n",
      "module.exports = { bar() {}, ...require('./foo') };\n",
      "Object.assign(module.exports, require('./x'));\n",
      'for (const [k, v] of Object.entries(all)) exports[k] = v;\n',
      'Object.keys(all).forEach((key) => Object.defineProperty(exports, key, { value: all[key] }));\n',
      '__exportStar(require("./foo"), exports);\n',
    ])
      expect(await changed(text), text).toEqual([]);
    for (const text of [
      "const list = require('./list');\nexports = module.exports = { list };\n",
      'Object.defineProperty(exports, "__esModule", { value: true });\nexports.bar = 1;\nexports["baz"] = 2;\n',
      'module.exports = function (...all) {};\n',
    ])
      expect(await changed(text), text).toEqual([
        'removed_but_used lib/a.js:1 fooThing was removed but is still used',
      ]);
  });

  it('tells methods of two removed classes apart by the name of the object', async () => {
    const registry = 'class Registry:\n    def next_port(self):\n        return 1\n';
    expect(
      await findingsOf(
        {
          'box/registry.py': registry,
          'box/utils.py': registry.replace('Registry', 'BoxUtils').replace('1', 'self.port + 1'),
          'run.py':
            'from box.registry import Registry\nfrom box.utils import BoxUtils\n\nbox_utils.next_port()\n',
        },
        { 'box/registry.py': null, 'box/utils.py': null },
        'removed_but_used',
      ),
    ).toEqual([
      'removed_but_used box/registry.py:1 Registry was removed but is still used',
      'removed_but_used box/utils.py:1 BoxUtils was removed but is still used',
      'removed_but_used box/utils.py:2 BoxUtils.next_port was removed but is still used',
    ]);
  });

  it('finds uses of names that only a comment of the file still mentions', async () => {
    expect(
      await findingsOf(
        {
          'src/money.ts': 'export const cents = 1;\nexport const euros = 2;\n',
          'src/cart.ts': "import { cents } from './money.ts';\n",
          'cli/tools.py': '"""Has SearchTool."""\n\nclass SearchTool:\n    pass\n',
          'cli/run.py': 'from cli.tools import SearchTool\n',
        },
        {
          'src/money.ts': '/* no cents */\nexport const euros = 2; // nor cents\n',
          'cli/tools.py': '"""Has SearchTool."""\n\nx = 1  # SearchTool\n',
        },
        'removed_but_used',
      ),
    ).toEqual([
      'removed_but_used cli/tools.py:3 SearchTool was removed but is still used',
      'removed_but_used src/money.ts:1 cents was removed but is still used',
    ]);
  });

  it('finds uses through a namespace, not those of other objects or of names that the file still mentions', async () => {
    const before = {
      'src/money.ts': 'export function format() {}\nexport function round() {}\nexport function kept() {}\n',
      'src/till.ts':
        "import * as money from './money.ts';\nmoney.format(1);\nold.money.round(2);\nmoney.kept(3);\n",
      'src/other.ts': "import * as money from './euro.ts';\nmoney.round(1);\n",
      'src/euro.ts': 'export function round() {}\n',
    };
    const after = {
      'src/money.ts': "import * as euro from './euro.ts';\nconst kept = euro;\nexport default { kept };\n",
    };
    expect(await findingsOf(before, after, 'removed_but_used')).toEqual([
      'removed_but_used src/money.ts:1 format was removed but is still used',
    ]);
  });

  it('finds uses of a crate of Rust, not variables and what libraries call the same', async () => {
    const before = {
      'crates/db/Cargo.toml': '[package]\nname = "shop-db"\n',
      'crates/db/src/lib.rs':
        'pub struct SearchType;\npub struct Answer;\nimpl Answer {\n    pub fn insert(&self) {}\n}\npub fn unread_count() -> u8 { 1 }\n',
      'crates/db/src/own.rs':
        'use crate::Answer;\nfn add(all: Map<Answer>) { all.insert(1); all.iter().unread_count(); }\n',
      'crates/api/Cargo.toml': '[package]\nname = "shop-api"\n',
      'crates/api/src/lib.rs':
        'use old_shop::{db::SearchType as OldType};\nfn f() { let unread_count = g(OldType); h(unread_count); }\n',
    };
    const after = {
      'crates/db/src/lib.rs': 'pub struct Answer;\n',
    };
    for (const check of ['removed_but_used', 'removed_name_used'])
      expect(await findingsOf(before, after, check)).toEqual([]);
    const web = {
      'crates/web/Cargo.toml': '[package]\nname = "shop-web"\n',
      'crates/web/src/lib.rs':
        'use shop_db::{Answer, SearchType};\nfn f(a: Answer) { Answer::insert(a); shop_db::unread_count(); }\n',
    };
    expect(await findingsOf({ ...before, ...web }, after, 'removed_but_used')).toEqual([
      'removed_but_used crates/db/src/lib.rs:1 SearchType was removed but is still used',
    ]);
    expect(await findingsOf({ ...before, ...web }, after, 'removed_name_used')).toEqual([
      'removed_name_used crates/db/src/lib.rs:4 Answer.insert was removed but is still used',
      'removed_name_used crates/db/src/lib.rs:6 unread_count was removed but is still used',
    ]);
  });

  it('finds Python modules by one name, beside a script or at the top, and whole modules that are imported', async () => {
    const moved = { 'lib/rates.py': 'def convert(a):\n    pass\n' };
    const after = {
      'prices.py': 'X = 1\n',
      'tools/report.py': 'X = 1\n',
      'src/taxes.py': 'X = 1\n',
      'lib/rates.py': 'X = 1\n',
    };
    expect(
      await findingsOf(
        {
          'prices.py': 'def format_price(a):\n    pass\n\n\ndef round_up(a):\n    pass\n',
          'shop.py': 'from prices import format_price\nformat_price(1)\n',
          'tests/test_prices.py': 'import prices\nprices.round_up(1)\nother.prices.round_up(1)\n',
          'tools/report.py': 'def build(a):\n    pass\n',
          'tools/main.py': 'import report as made\nmade.build(1)\n',
          'src/taxes.py': 'def vat(a):\n    pass\n',
          'src/app/main.py': 'from taxes import vat\n',
          ...moved,
          'app/main.py': 'import lib.rates\nfrom rates import convert\nlib.rates.convert(1)\n',
        },
        after,
        'removed_but_used',
      ),
    ).toEqual([
      'removed_but_used lib/rates.py:1 convert was removed but is still used',
      'removed_but_used prices.py:1 format_price was removed but is still used',
      'removed_but_used prices.py:5 round_up was removed but is still used',
      'removed_but_used src/taxes.py:1 vat was removed but is still used',
      'removed_but_used tools/report.py:1 build was removed but is still used',
    ]);
    // `rates` may be a package that is installed.
    const elsewhere = {
      ...moved,
      'app/main.py': 'from rates import convert\nimport rates\nrates.convert(1)\n',
    };
    expect(await findingsOf(elsewhere, { 'lib/rates.py': 'X = 1\n' }, 'removed_but_used')).toEqual([]);
  });

  it('leaves alone moved, re-exported and overloaded names, other modules, comments and strings', async () => {
    expect(
      await findingsOf(
        {
          'src/money.ts': 'export function format(n: number) { return n; }\n',
          'src/dates.ts': 'export function format(n: Date) { return n; }\n',
          'src/cart.ts': "import { format } from './dates.ts';\nformat(now); // format of money\n",
          'src/list.ts': "export { pick } from './pick.ts';\n",
          'src/pick.ts': 'export const pick = 1;\n',
          'src/user.ts': "import { pick } from './list.ts';\nuse(pick);\n",
          'src/old.ts': 'export const moved = 1;\n',
          'src/kinds.ts': 'export enum Editor { A }\n',
          'src/server.ts': 'export const client = make();\nexport function prefetch() {}\n',
          'src/lazy.js': 'const assets = new Assets();\nmodule.exports = { assets };\n',
          'src/page.ts':
            "import { client, prefetch } from './server.ts';\nconst { assets } = require('./lazy');\n",
          'cli/build.py': 'dummy_agent = make()\n',
          'hub/__init__.py': 'from hub import dummy_agent\n',
          'hub/dummy_agent/__init__.py': 'x = 1\n',
          'src/globals.ts': 'export const settings = 1;\n',
          'src/reads.ts': "import { settings } from './globals.ts';\n",
          'src/tools.ts': 'export const toolbox = 1;\n',
          'src/barrel.js': "export { toolbox } from './tools.ts';\n",
          'src/opens.ts': "import { toolbox } from './barrel.js';\n",
          'cli/names.py': 'lazy_name = 1\n',
          'cli/tool.py': 'class OwnTool:\n    def as_tool(self):\n        pass\n',
          'cli/loads.py':
            'from cli.tool import OwnTool\nfrom library import OtherTool\n\nOwnTool()\nOtherTool(x).as_tool()\n',
          'cli/live.py': 'class LiveView:\n    def print_intro(self):\n        pass\n',
          'cli/runs.py': 'from cli.live import LiveView\n\nLiveView().print_intro()\n',
          'src/timer/functions.ts': 'export function isTimerOn() {\n  return read().timer.on;\n}\n',
          'src/timer/pill.ts': "import { isTimerOn } from './functions';\n",
          'rag/query.py': 'async def search_all():\n    return await run(everything)\n',
          'app/page.py': 'from rag.query import search_all\n',
          'app/view.py': 'import rag.query as query\n\nquery.search_all()\n',
          'cli/topics.bak.py': 'class TopicStrategy:\n    pass\n',
          'cli/topics.py': 'class CosineStrategy:\n    pass\n',
          'cli/asks.py': 'from cli.topics import TopicStrategy\n',
          'cli/vault.py': 'class Vault:\n    def open(self):\n        return read(self.name)\n',
          'cli/opens.py': 'from cli.vault import Vault\n',
          'cli/reads.py': 'from cli.names import lazy_name\n',
          'src/editor.ts': "import { Editor } from './kinds.ts';\nuse(Editor.A);\n",
          'src/sees.ts': "import { moved } from './old.ts';\nuse(moved, 'removed');\n",
          'pkg/a/a.go': 'package a\n\nfunc Run() {}\n',
          'pkg/b/b.go': 'package b\n\nfunc Run() {}\n\nfunc main() { Run() }\n',
          'pkg/c/cache.go': 'package c\n\ntype Backend struct {\n\tstore.Backend\n}\n\nfunc Repack() {}\n',
          'pkg/c/stats.go':
            'package c\n\ntype Stats struct {\n\tSize struct {\n\t\tUsed, Repack uint64\n\t}\n}\n',
          'pkg/c/new.go': 'package c\n\nfunc open(b store.Backend) {\n\treturn wrapped{Backend: b}\n}\n',
        },
        {
          'src/money.ts': 'export const nothing = 1;\n',
          'src/globals.ts': "export = make(['settings']);\n",
          'src/tools.ts': null,
          'src/barrel.js': "make(['toolbox']);\n",
          'cli/names.py': "LAZY = {'lazy_name': make}\n",
          'cli/vault.py': null,
          'cli/topics.bak.py': null,
          'rag/query.py': null,
          'packages/rag/rag/query.py':
            'from .engine import Engine\n\n\ndef search_all(engine: Engine):\n    return engine.search()\n',
          'cli/tool.py': 'class OwnTool:\n    pass\n',
          'cli/live.py': 'from live_library import LiveView\n',
          'src/timer/functions.ts': null,
          'src/timer/functions.any.ts':
            'export const limit = 1;\n\n/** Whether it is. */\nexport function isTimerOn(state: State) {\n  return state.timer;\n}\n',
          'src/timer/functions.native.ts': "export * from './functions.any';\n",
          'cli/vault/__init__.py': 'from .sync import Vault\n',
          'cli/vault/sync.py': 'from .base import Client\n\n\nclass Vault(Client):\n    limit = 1\n',
          'src/server.ts': 'export const {\n  client,\n  prefetch,\n} = createHelpers({ make });\n',
          'src/lazy.js': 'let assets;\nmodule.exports = {\n  get assets() {\n    return assets;\n  },\n};\n',
          'cli/build.py': 'def build(dummy_agent):\n    pass\n',
          'src/kinds.ts': "import { Kind } from './kind.ts';\nexport { Kind as Editor };\n",
          'src/pick.ts': null,
          'src/list.ts': "export { pick } from './chosen.ts';\n",
          'src/chosen.ts': 'export const pick = 1;\n',
          'src/old.ts': "export { moved } from './new.ts';\n",
          'src/new.ts': 'export const moved = 1;\n',
          'pkg/a/a.go': 'package a\n',
          'pkg/c/cache.go': 'package c\n\ntype cached struct {\n\tstore.Backend\n}\n',
        },
        'removed_but_used',
      ),
    ).toEqual([]);
  });
});

describe('removed_name_used', () => {
  it('leaves alone accessors that Lombok writes now', async () => {
    const money = (before: string, body: string) =>
      `package shop;\n${before}public class Money {\n  private int decimalPlaces;\n${body}}\n`;
    const getter = '  public int getDecimalPlaces() { return decimalPlaces; }\n';
    const before = {
      'src/main/java/shop/Money.java': money('', getter),
      'src/main/java/shop/Till.java':
        'package shop;\nclass Till {\n  int places(Money money) { return money.getDecimalPlaces(); }\n}\n',
    };
    const changed = (text: string) => ({ 'src/main/java/shop/Money.java': text });
    expect(await findingsOf(before, changed(money('@Getter\n', '')), 'removed_name_used')).toEqual([]);
    expect(await findingsOf(before, changed(money('', '')), 'removed_name_used')).toEqual([
      'removed_name_used src/main/java/shop/Money.java:4 Money.getDecimalPlaces was removed but is still used',
    ]);
  });

  it('finds names of removed classes of Ruby, not those in other modules', async () => {
    const before = {
      'lib/errors.rb': 'module Shop\n  class FeedError < StandardError; end\nend\n',
      'app/read.rb': 'def read\n  parse\nrescue Vendor::XML::FeedError\n  nil\nend\n',
    };
    const after = { 'lib/errors.rb': 'module Shop\nend\n' };
    expect(await findingsOf(before, after)).toEqual([]);
    const own = { 'app/load.rb': 'def load\n  parse\nrescue Shop::FeedError\n  nil\nend\n' };
    expect(await findingsOf({ ...before, ...own }, after)).toEqual([
      'removed_name_used lib/errors.rb:2 Shop.FeedError was removed but is still used',
    ]);
  });
});

describe('removed_but_used through other ways', () => {
  const before = {
    'app/utils/dates.ts': 'export function formatDate() {}\nexport function parseDate() {}\n',
    'app/utils/index.ts': "export * from './dates';\n",
    'app/a.ts': "import { formatDate } from '~/utils/dates';\nformatDate();\n",
    'app/b.ts': "import { parseDate } from './utils';\nparseDate();\n",
    'app/Page.tsx': 'export default function StartPage() {}\n',
    'app/e.ts': "import StartPage from './Page';\nuse(StartPage);\n",
    'app/c.ts': "import { formatDate } from 'some-library';\nformatDate();\n",
    'libs/common/src/lib/permissions.ts': 'export function hasAccess() {}\n',
    'apps/api/src/app/d.ts': "import { hasAccess } from '@shop/common/permissions';\nhasAccess();\n",
    'go.mod': 'module example.com/app\n\nreplace example.com/shared => ./shared\n',
    'shared/text/trim.go': 'package text\n\nfunc TrimAll() {}\n',
    'main.go': 'package main\n\nimport "example.com/shared/text"\n\nfunc main() {\n\ttext.TrimAll()\n}\n',
    'hc/front/views.py': 'def add_slack(r):\n    pass\n\n\ndef add_mail(r):\n    pass\n',
    'hc/front/urls.py': 'from hc.front import views\n\na(views.add_slack)\nb(other.add_mail)\n',
    'web/serve.go': 'package web\n\nfunc Redirect() {}\n\nfunc Keep() { http.Redirect() }\n',
    'lib/models/__init__.py': 'from .money import Money\n',
    'lib/models/money.py': 'class Money:\n    pass\n',
    'lib/shop.py': 'from lib.models import Money\n\nMoney()\n',
  };
  const after = {
    'app/utils/dates.ts': 'export function other() {}\n',
    'app/Page.tsx': null,
    'libs/common/src/lib/permissions.ts': 'export {};\n',
    'shared/text/trim.go': 'package text\n',
    'hc/front/views.py': 'import json\n\n\ndef other(r):\n    pass\n',
    'web/serve.go': 'package web\n\nfunc Keep() { http.Redirect() }\n',
    'lib/models/__init__.py': '',
    'lib/models/money.py': 'X = 1\n',
  };

  it('follows aliases, files that pass names on, and replaced modules of Go', async () => {
    expect(await findingsOf(before, after, 'removed_but_used')).toEqual([
      'removed_but_used app/Page.tsx:1 StartPage was removed but is still used',
      'removed_but_used app/utils/dates.ts:1 formatDate was removed but is still used',
      'removed_but_used app/utils/dates.ts:2 parseDate was removed but is still used',
      'removed_but_used hc/front/views.py:1 add_slack was removed but is still used',
      'removed_but_used lib/models/money.py:1 Money was removed but is still used',
      'removed_but_used libs/common/src/lib/permissions.ts:1 hasAccess was removed but is still used',
      'removed_but_used shared/text/trim.go:3 TrimAll was removed but is still used',
    ]);
  });

  it('leaves names alone that are defined or passed on somewhere else', async () => {
    const elsewhere = {
      'app/utils/index.ts': "export { format as formatDate, parseDate } from 'date-library';\n",
      'libs/other/index.ts': 'export const hasAccess = 1;\n',
      'app/Page.tsx': 'export default function Other() {}\n',
      'hc/front/views.py': 'add_slack = make()\n',
      'shared/text/all.go': 'package text\n\nfunc TrimAll() {}\n',
      'lib/models/__init__.py': 'from money_library import Dollars as Money\n',
    };
    expect(await findingsOf(before, { ...after, ...elsewhere }, 'removed_but_used')).toEqual([]);
  });
});

describe('import_case', () => {
  it('finds added imports that differ from a file in case alone', async () => {
    expect(
      await findingsOf(
        { 'src/Button.tsx': 'export const Button = 1;\n', 'src/old.ts': "import { B } from './button';\n" },
        {
          'src/page.ts':
            "import { Button } from './button';\nimport { x } from './nothing';\nimport y from 'button';\n",
          'src/good.ts': "import { Button } from './Button';\n",
          'src/old.ts': "import { B } from './button';\nB();\n",
        },
        'import_case',
      ),
    ).toEqual(['import_case src/page.ts:1 The import `./button` differs from src/Button.tsx in case']);
  });
});

it('leaves alone a method whose name something else has now, such as what a hook returns', async () => {
  const before = {
    'src/chart.ts': 'export class Chart {\n  createTooltip(info: string) {\n    return info;\n  }\n}\n',
    'src/chart.test.ts': "import { Chart } from './chart';\nnew Chart().createTooltip('a');\n",
  };
  const chart = "import { useChart } from './use-chart';\nexport const Chart = () => useChart();\n";
  const test =
    "import { Chart } from './chart';\nimport { useChart } from './use-chart';\nconst current = useChart(Chart);\ncurrent.createTooltip('a');\n";
  const hook = (made: string) => `export const useChart = () => {\n${made}\n};\n`;
  const after = (made: string) => ({
    'src/chart.ts': chart,
    'src/chart.test.ts': test,
    'src/use-chart.ts': hook(made),
  });
  const made = '  const createTooltip = (info: string) => info;\n  return { createTooltip };';
  expect(await findingsOf(before, after(made), 'removed_but_used')).toEqual([]);
  expect(await findingsOf(before, after('  return {};'), 'removed_but_used')).toEqual([
    'removed_but_used src/chart.ts:2 Chart.createTooltip was removed but is still used',
  ]);
});

describe('a method that its own class still calls', () => {
  /** Each class in a file of its own, before and after it lost its method; `NAME` and `METHOD` become names that only this file has. */
  const findLost = (extension: string, classes: string[], others: Record<string, string> = {}) => {
    const before: Record<string, string> = {};
    const after: Record<string, string> = {};
    for (const [index, text] of classes.entries()) {
      const named = text.replaceAll('NAME', `Till${index}`).replaceAll('METHOD', `roundUp${index}`);
      before[`till${index}.${extension}`] = named.replace(/<<([\s\S]*)>>/, '$1');
      after[`till${index}.${extension}`] = named.replace(/<<[\s\S]*>>/, '');
    }
    return findingsOf({ ...others, ...before }, after, 'removed_but_used');
  };
  const script = (body = '', head = 'class NAME') =>
    `${head} {\n<<  METHOD(n) {\n    return n;\n  }\n>>${body}  pay() {\n    return this.METHOD(1);\n  }\n}\n`;
  const python = (body = '', head = 'class NAME:') =>
    `${head}\n<<    def METHOD(self, n):\n        return n\n>>${body}    def pay(self):\n        return self.METHOD(1)\n`;
  const found = (extension: string, count: number) =>
    Array.from(
      { length: count },
      (_, index) =>
        `removed_but_used till${index}.${extension}:2 Till${index}.roundUp${index} was removed but is still used`,
    );

  it('is found in TypeScript, JavaScript and Python, exported or not', async () => {
    const scripts = [
      script(),
      script('', 'export class NAME'),
      script('', 'export default class NAME'),
      // A comment that still names it, and a call of another object, say nothing.
      script('  // METHOD was here\n  sum(other) { return other.METHOD(2); }\n'),
    ];
    expect(await findLost('js', scripts)).toEqual(found('js', 4));
    scripts.push(script('', 'export class NAME<T> implements Desk'));
    const namesake = { 'desk.ts': 'class Desk { roundUp0() {} }\n' };
    expect(await findLost('ts', scripts, namesake)).toEqual(found('ts', 5));
    expect(await findLost('py', [python(), python('', 'class NAME(object):')])).toEqual(found('py', 2));
  });

  it('is left alone where the class may have it from elsewhere', async () => {
    const scripts = [
      script('', 'class NAME extends Desk'),
      script('', 'class NAME<T = {}> extends Desk'),
      script('', 'class NAME\n  extends Desk'),
      script('  METHOD = (n) => n;\n'),
      script('  get METHOD() { return (n) => n; }\n'),
      script('  constructor(private METHOD: (n: number) => number) {}\n'),
      script('  constructor(make) { this.METHOD = make; }\n'),
      script('  constructor(all) { Object.assign(this, all); }\n'),
      script('  constructor(all) { for (const each of all) this[each.name] = each; }\n'),
      script('  [name: string]: any;\n'),
      script('  constructor() { return new Proxy(this, {}); }\n'),
      script("  has() { return 'METHOD' in this; }\n"),
      script('  later(run) { run(function () { this.x(); }); }\n'),
      script().replace('this.METHOD(', 'this.METHOD?.('),
    ];
    expect(await findLost('ts', scripts)).toEqual([]);
    const merged = "declare module './till0' {\n  interface Till0 { roundUp0(n: number): number }\n}\n";
    expect(await findLost('ts', [script()], { 'types.ts': merged })).toEqual([]);
    // Without types, a subclass or any other code can bring it.
    const others = 'class Shop extends Till0 { roundUp0(n) {} }\nTill1.prototype.roundUp1 = round;\n';
    const untyped = [script(), script(), script('', '@desk\nclass NAME'), ...scripts];
    expect(await findLost('js', untyped, { 'shop.js': others })).toEqual([]);
  });

  it('is left alone in Python where the class may have it from elsewhere', async () => {
    const classes = [
      python(),
      python('', 'class NAME(Desk):'),
      python('', '@desk\nclass NAME:'),
      python('', 'class NAMEMixin:'),
      python('    METHOD = staticmethod(round)\n'),
      python('    def __init__(self, make):\n        self.METHOD = make\n'),
      python('    def __init__(self, make):\n        self.METHOD, self.x = make\n'),
      python('    def __getattr__(self, name):\n        return print\n'),
      python('    def __init__(self, **all):\n        self.__dict__.update(all)\n'),
      python('    def has(self):\n        return hasattr(self, "METHOD")\n'),
      // A class in the class has its own `self`.
      'class NAME:\n<<    def METHOD(self):\n        pass\n>>    class Desk:\n        def pay(self):\n            self.METHOD()\n',
    ];
    const subclass = 'class Shop(Till0):\n    def roundUp0(self, n):\n        return n\n';
    expect(await findLost('py', classes, { 'shop.py': subclass })).toEqual([]);
  });
});
