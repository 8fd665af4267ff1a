/** What each check finds and what it leaves alone, on real repositories. */
import { describe, expect, it } from 'vitest';
import type { FixtureFiles } from '../../../../test/git-fixtures.ts';
import { describeReview, reviewChange } from '../../../../test/review-change.ts';

/** No token here is real; they are put together so that scanners of this repository leave them alone. */
const TOKENS = {
  github: `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6'}`,
  google: `AIza${'SyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v'}`,
  aws: `AKIA${'QX7ZP4MN2LKJ8H6G'}`,
  slack: `xoxb-${'123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx'}`,
  privateKey: `-----BEGIN RSA PRIVATE ${'KEY-----\n'}${'MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfnygWyF0AJJ3aBcDeFgHiJkLmNoPqRsTuVw\n'.repeat(6)}abc\n-----END RSA PRIVATE KEY-----`,
};

async function found(before: FixtureFiles, after: FixtureFiles, only?: string): Promise<string[]> {
  return describeReview(
    await reviewChange({ 'keep.txt': 'keep\n', ...before }, after, { ...(only && { only }) }),
  );
}

describe('leaked_secret', () => {
  it('finds tokens of known services in added lines, wherever they are', async () => {
    expect(
      await found(
        {},
        {
          'src/a.ts': `const token = '${TOKENS.github}';\nconst map = '${TOKENS.google}';\n`,
          'test/b.py': `KEY = "${TOKENS.slack}"\n`,
          'config/key.pem': `${TOKENS.privateKey}\n`,
          'deploy.yaml': `id: ${TOKENS.aws}\n`,
        },
        'leaked_secret',
      ),
    ).toEqual([
      'leaked_secret config/key.pem:1 Private key in the code',
      'leaked_secret deploy.yaml:1 AWS access key in the code',
      'leaked_secret src/a.ts:2 Google API key in the code',
      'leaked_secret src/a.ts:1 GitHub token in the code',
      'leaked_secret test/b.py:1 Slack token in the code',
    ]);
  });

  it('leaves alone what was there, placeholders, and made-up passwords of tests and documents', async () => {
    const moved = `const token = '${TOKENS.github}';\n`;
    expect(
      await found(
        { 'src/a.ts': moved },
        {
          'src/a.ts': `// moved\n\n${moved.replace('const', 'let')}`,
          'docs/setup.md': 'postgres://admin:hunter22@db.internal:5432/app\n',
          'podman/env.sample': 'DATABASE_URL=postgresql://shop:hunter22@db.internal:5432/shop\n',
          'compose.yaml':
            'URL: postgresql://shop:shop@db:5432/shop\nB: postgresql://shop:replace-me@db/shop\n',
          'test/db.ts': "const url = 'postgres://admin:hunter22@db.internal/app';\n",
          'src/b.ts':
            "const url = 'https://user:password@example.com/';\nconst id = 'AKIAIOSFODNN7EXAMPLE';\n",
        },
        'leaked_secret',
      ),
    ).toEqual([]);
  });

  it('finds tokens in long lines, wherever they are, and quotes nothing of a file that does not parse', async () => {
    const padding = 'x = 1; '.repeat(4000);
    const result = await reviewChange(
      { 'keep.txt': 'keep\n' },
      {
        'bundle.js': `${padding}var token = '${TOKENS.github}'; ${padding}var map = '${TOKENS.google}';\n`,
        'config.json': `{ "token": ${TOKENS.github.slice(0, 20)} }\n`,
      },
    );
    expect(describeReview(result).sort()).toEqual([
      'leaked_secret bundle.js:1 GitHub token in the code',
      'leaked_secret bundle.js:1 Google API key in the code',
      'unparseable_file config.json:1 config.json does not parse',
    ]);
    const broken = result.candidates.find(({ check }) => check === 'unparseable_file')!;
    expect(broken.scenario).toContain("fails at line 1: Unexpected token 'g'");
    expect(broken.scenario).not.toContain('ghp');
  });

  it('shows no token anywhere, whatever the finding is about', async () => {
    const result = await reviewChange(
      { 'keep.txt': 'keep\n' },
      { 'a.test.ts': `it.only('x', () => use('${TOKENS.github}'));\n` },
    );
    expect(describeReview(result)).toHaveLength(2);
    expect(JSON.stringify(result)).not.toContain(TOKENS.github.slice(0, 12));
  });
});

describe('weakened tests', () => {
  it('finds focused and skipped tests, deleted tests, lower limits and ignored failures', async () => {
    const workflow = (extra: string) => `on: push\njobs:\n  t:\n    steps:\n      - run: npm test\n${extra}`;
    expect(
      await found(
        {
          'a.test.ts': "it('adds', () => {});\nit('divides', () => {});\n",
          'b_test.go': 'package b\n\nfunc TestB(t *testing.T) {\n\trun(t)\n}\n',
          'tests/test_c.py': 'def test_c():\n    assert c()\n',
          'src/d.ts': 'export const d = 1;\n',
          'src/d.test.ts': "it('is one', () => {});\n",
          'jest.config.js': 'module.exports = { coverageThreshold: { global: {\n  lines: 90,\n} } };\n',
          '.github/workflows/ci.yml': workflow(''),
        },
        {
          'a.test.ts': "it.only('adds', () => {});\nit.skip('divides', () => {});\n",
          'b_test.go': 'package b\n\nfunc TestB(t *testing.T) {\n\tt.Skip("flaky")\n\trun(t)\n}\n',
          'tests/test_c.py': '@pytest.mark.skip(reason="later")\ndef test_c():\n    assert c()\n',
          'src/d.test.ts': null,
          'jest.config.js': 'module.exports = { coverageThreshold: { global: {\n  lines: 70,\n} } };\n',
          '.github/workflows/ci.yml': workflow('        continue-on-error: true\n'),
        },
      ),
    ).toEqual([
      'focused_test a.test.ts:1 Focused test',
      'skipped_test a.test.ts:2 Test is skipped now',
      'deleted_test src/d.test.ts:1 Tests of src/d.ts deleted',
      'lowered_coverage jest.config.js:2 Coverage limit lowered from 90 to 70',
      'ignored_failure .github/workflows/ci.yml:6 Failures of this step no longer count',
    ]);
  });

  it('leaves alone new skipped tests, conditions, moved tests and higher limits', async () => {
    expect(
      await found(
        {
          'src/d.ts': 'export const d = 1;\n',
          'src/d.test.ts': "it('is one', () => {});\n",
          'jest.config.js': 'module.exports = { lines: 70 };\n',
        },
        {
          'src/d.test.ts': null,
          'test/all.test.ts':
            "it('is one', () => {});\nit.skip('new one', () => {});\nconst only = list.only('x');\n",
          'b_test.go': 'package b\n\nfunc TestB(t *testing.T) {\n\tif short {\n\t\tt.Skip()\n\t}\n}\n',
          'src/only.ts': "describe.only('not a test file');\n",
          'jest.config.js': 'module.exports = { lines: 75 };\n',
        },
      ),
    ).toEqual([]);
  });
});

describe('data safety', () => {
  it('leaves edited migrations alone that change the same schema, and says once that several were edited', async () => {
    const create = (columns: string, guard = false) => {
      const call = `Schema::create('users', static function (Blueprint $table): void {\n  ${columns}\n});\n`;
      return `<?php\nuse X\\Y;\nreturn new class extends Migration {\n${guard ? `if (!Schema::hasTable('users')) {\n${call}}` : call}};\n`;
    };
    const before = {
      'database/migrations/2024_01_01_users.php': create("$table->string('name', 20);"),
      'db/migrate/002_orders.sql': 'create table orders (\n  id int\n);\n',
      'migrations/20200101_a.go':
        'package m\n\nfunc Up(tx *sql.Tx) error {\n\t_, err := tx.Exec(`drop table a;`)\n}\n',
      'hc/migrations/0003_fill.py': 'from django.db import migrations\n\nx = migrations.RunPython(f)\n',
    };
    const formatted = {
      'database/migrations/2024_01_01_users.php': create("$table->string(\n    'name',\n    20,\n  );", true),
      'db/migrate/002_orders.sql': 'CREATE TABLE IF NOT EXISTS orders (id int);\n',
      'migrations/20200101_a.go':
        'package m\n\nfunc Up(ctx C, tx *sql.Tx) error {\n\t_, err := tx.ExecContext(ctx, `drop table a;`)\n}\n',
      'hc/migrations/0003_fill.py':
        'from django.db import migrations\nfrom django.db.migrations.state import S\n\nx = migrations.RunPython(f)\n',
    };
    const edited = {
      'database/migrations/2024_01_01_users.php': create("$table->string('name', 40);"),
      'db/migrate/002_orders.sql': 'create table orders (\n  id bigint\n);\n',
    };
    expect(await found(before, formatted, 'edited_migration')).toEqual([]);
    expect(await found(before, edited, 'edited_migration')).toEqual([
      'edited_migration database/migrations/2024_01_01_users.php:5 Migration edited after it was merged',
    ]);
  });

  it('finds edited migrations, numbers that are taken, and dropped tables that are used', async () => {
    expect(
      await found(
        {
          'db/migrations/0001_users.sql': 'CREATE TABLE users (id int);\n',
          'db/migrations/0002_orders.sql': 'CREATE TABLE orders (id int);\n',
          'src/orders.ts': "const all = 'SELECT * FROM orders WHERE id = $1';\n",
        },
        {
          'db/migrations/0001_users.sql': 'CREATE TABLE users (id bigint);\n',
          'db/migrations/0002_items.sql': 'CREATE TABLE items (id int);\n',
          'db/migrations/0003_drop.sql': 'DROP TABLE IF EXISTS public.orders;\n',
        },
      ),
    ).toEqual([
      'dropped_table db/migrations/0003_drop.sql:1 Table orders is dropped but still used',
      'edited_migration db/migrations/0001_users.sql:1 Migration edited after it was merged',
      'same_number_migration db/migrations/0002_items.sql:1 Two migrations have the number 0002',
    ]);
  });

  it('leaves alone comments, ways back, parts of one migration, and tables that nothing uses', async () => {
    expect(
      await found(
        {
          'db/migrations/0001_users.sql': 'CREATE TABLE users (id int);\n',
          'src/a.ts': "// FROM users\nq('FROM logs');\n",
        },
        {
          'db/migrations/0001_users.sql': '-- people\nCREATE TABLE users (id int);\n',
          'db/migrations/0002_logs.up.sql': 'CREATE TABLE logs (id int);\n',
          'db/migrations/0002_logs.down.sql': 'DROP TABLE logs;\n',
          'db/migrations/0003_gone.rb':
            'def up\n  create_table :logs\nend\ndef down\n  drop_table :logs\nend\n',
          'db/migrations/0004_unused.sql': 'DROP TABLE archive;\n',
          'db/migrations/0005_again.sql': 'DROP TABLE logs;\nALTER TABLE logs_new RENAME TO logs;\n',
          'app/migrations/0004_one.py': 'x = 1\n',
          'app/migrations/0004_two.py': 'x = 2\n',
        },
      ),
    ).toEqual([]);
  });

  it('finds protobuf numbers that are reused or freed, and accepts reserved ones', async () => {
    const message = (fields: string) => `syntax = "proto3";\nmessage Order {\n${fields}}\n`;
    expect(
      await found(
        {
          'api/order.proto': message(
            '  string id = 1;\n  int32 count = 2;\n  string note = 3;\n  bool paid = 4;\n',
          ),
        },
        { 'api/order.proto': message('  string id = 1;\n  string label = 2;\n  reserved 4;\n') },
        'protobuf_field_number',
      ),
    ).toEqual([
      'protobuf_field_number api/order.proto:4 Field number 2 of Order is reused',
      'protobuf_field_number api/order.proto:5 Number 3 of Order is free again',
    ]);
  });
});

describe('dependencies', () => {
  const manifest = (dependencies: Record<string, string>) => `${JSON.stringify({ dependencies }, null, 2)}\n`;

  it('finds addresses, dependencies that are not locked, and imitated names', async () => {
    expect(
      await found(
        {
          'package.json': manifest({ express: '5.0.0' }),
          'package-lock.json': '{"packages":{"node_modules/express":{}}}\n',
        },
        {
          'package.json': manifest({
            express: '5.0.0',
            exprses: '1.0.0',
            left: 'git+https://host.test/left.git',
          }),
          'package-lock.json': '{"packages":{"node_modules/express":{},"node_modules/left":{}}}\n',
        },
      ),
    ).toEqual([
      'dependency_source package.json:5 left comes from git+https://host.test/left.git',
      'dependency_not_locked package.json:4 exprses is not in package-lock.json',
      'similar_dependency_name package.json:4 exprses looks like express',
    ]);
  });

  it('leaves alone locked and local ones, other names, and manifests without a lock file', async () => {
    expect(
      await found(
        { 'package.json': manifest({ react: '19.0.0' }), 'yarn.lock': 'react@19.0.0:\n' },
        {
          'package.json': manifest({ react: '19.1.0', preact: '10.0.0', ours: 'workspace:*' }),
          'yarn.lock': 'react@19.1.0:\npreact@10.0.0:\n',
        },
      ),
    ).toEqual([]);
  });
});

describe('files', () => {
  it('finds conflict markers, files that do not parse, and characters that nobody sees', async () => {
    expect(
      await found(
        {
          'data/settings.json': '{"a": 1}\n',
          'deploy/app.yaml': 'a: 1\n',
          'Cargo.toml': '[package]\nname = "x"\n',
        },
        {
          'src/merge.py': '<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> feature\n',
          'data/settings.json': '{"a": 1,}\n',
          'deploy/app.yaml': 'a: 1\n b: 2\n',
          'Cargo.toml': '[package]\nname = \n',
          'src/access.ts': "if (level !== '\u202E admin') {}\n",
        },
      ),
    ).toEqual([
      'invisible_character src/access.ts:1 Invisible character U+202E in the code',
      'conflict_marker src/merge.py:1 Unresolved merge conflict',
      'unparseable_file Cargo.toml:2 Cargo.toml does not parse',
      'unparseable_file data/settings.json:1 settings.json does not parse',
      'unparseable_file deploy/app.yaml:2 app.yaml does not parse',
    ]);
  });

  it('leaves alone lenient formats, templates, fixtures, emoji and what was broken before', async () => {
    expect(
      await found(
        { 'data/broken.json': '{oops}\n' },
        {
          'data/broken.json': '{oops, again}\n',
          'tsconfig.json': '{\n  // comment\n  "a": 1,\n}\n',
          'chart/templates/app.yaml': 'a: {{ .Values.a }}\n',
          'test/fixtures/bad.json': '{\n',
          'src/emoji.ts': "export const family = '👨‍👩‍👧';\n",
          'docs/merging.md': '<<<<<<< HEAD\n=======\n>>>>>>> feature\n',
        },
      ),
    ).toEqual([]);
  });

  it('finds scripts, workflows and documents that name a file which is gone', async () => {
    expect(
      await found(
        {
          'scripts/build.sh': 'node src/tools/pack.ts\n',
          'README.md': 'Start with [the guide](docs/guide.md).\n',
          'CHANGELOG.md': 'Added src/tools/pack.ts\n',
          'docs/guide.md': '# Guide\n',
          'src/tools/pack.ts': 'export const pack = 1;\n',
          'src/tools/other.ts': 'export const other = 1;\n',
          'docs/other.md': 'my/src/tools/other.ts and src/tools/other.tsx\n',
        },
        {
          'src/tools/pack.ts': null,
          'docs/guide.md': null,
          'docs/start.md': '# Guide\n',
          'src/tools/other.ts': null,
        },
        'named_path_gone',
      ),
    ).toEqual([
      'named_path_gone docs/guide.md:1 docs/guide.md is renamed but still named',
      'named_path_gone src/tools/pack.ts:1 src/tools/pack.ts is deleted but still named',
    ]);
  });

  it('leaves alone an action from a branch that was used before', async () => {
    const workflow = (name: string) =>
      `on: push\njobs:\n  ${name}:\n    steps:\n      - uses: someone/action@main\n`;
    const before = { '.github/workflows/a.yml': workflow('a') };
    expect(await found(before, { '.github/workflows/b.yml': workflow('b') })).toEqual([]);
  });

  it('finds workflows that run code of strangers', async () => {
    const value = (text: string) => `$\{{ ${text} }}`;
    const steps = (...lines: string[]) =>
      `on: pull_request_target\njobs:\n  a:\n    steps:\n${lines.map((line) => `      ${line}\n`).join('')}`;
    expect(
      await found(
        {},
        {
          '.github/workflows/a.yml': steps(
            '- uses: actions/checkout@v4',
            '  with:',
            `    ref: ${value('github.event.pull_request.head.sha')}`,
            `- run: echo "${value('github.event.pull_request.title')}"`,
            '- uses: someone/action@main',
          ),
          '.github/workflows/b.yml': steps(
            '- uses: actions/checkout@main',
            '- env:',
            `    TITLE: ${value('github.event.pull_request.title')}`,
            `  run: echo "$TITLE" ${value('github.sha')}`,
            '- uses: someone/action@8f4b7f84864484a7bf31766abe9204da3cbe65b3',
          ),
        },
        'unsafe_workflow',
      ),
    ).toEqual([
      'unsafe_workflow .github/workflows/a.yml:7 Code of a pull request is checked out with secrets',
      'unsafe_workflow .github/workflows/a.yml:8 Untrusted text runs as a shell command',
      'unsafe_workflow .github/workflows/a.yml:9 Action from a branch: someone/action@main',
    ]);
  });
});

describe('removed_but_used', () => {
  it('tells classes of other namespaces apart', async () => {
    const before = {
      'app/Kernel.php': '<?php\nnamespace Acme\\Console;\nclass Kernel {}\n',
      'public/index.php': '<?php\nuse Vendor\\Http\\Kernel;\nKernel::run();\n',
    };
    const own = { 'app/Run.php': '<?php\nuse Acme\\Console\\Kernel;\nKernel::run();\n' };
    expect(await found(before, { 'app/Kernel.php': null }, 'removed_but_used')).toEqual([]);
    expect(await found({ ...before, ...own }, { 'app/Kernel.php': null }, 'removed_but_used')).toEqual([
      'removed_but_used app/Kernel.php:3 Kernel was removed but is still used',
    ]);
  });

  it('finds uses of removed and renamed exports in TypeScript, Python, Go and Java', async () => {
    expect(
      await found(
        {
          'src/money.ts': 'export function format(n: number) { return n; }\nexport const RATE = 2;\n',
          'src/cart.ts': "import { format } from './money.ts';\nformat(1);\n",
          'app/mail.py': 'def send(to):\n    pass\n',
          'app/jobs.py': 'from app.mail import send\nsend("x")\n',
          'pkg/store/store.go': 'package store\n\nfunc Open() {}\nfunc Close() {}\n',
          'cmd/main.go':
            'package main\n\nimport "example.com/shop/pkg/store"\n\nfunc main() { store.Open() }\n',
          'src/main/java/shop/Invoice.java': 'package shop;\npublic class InvoicePrinter { }\n',
          'src/main/java/shop/Main.java': 'package shop;\nclass Main { InvoicePrinter printer; }\n',
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
      'removed_but_used src/main/java/shop/Invoice.java:2 InvoicePrinter was removed but is still used',
      'removed_but_used src/money.ts:1 format was removed but is still used',
    ]);
  });

  it('leaves alone moved, re-exported and overloaded names, other modules, comments and strings', async () => {
    expect(
      await found(
        {
          'src/money.ts': 'export function format(n: number) { return n; }\n',
          'src/dates.ts': 'export function format(n: Date) { return n; }\n',
          'src/cart.ts': "import { format } from './dates.ts';\nformat(now); // format of money\n",
          'src/list.ts': "export { pick } from './pick.ts';\n",
          'src/pick.ts': 'export const pick = 1;\n',
          'src/user.ts': "import { pick } from './list.ts';\nuse(pick);\n",
          'src/old.ts': 'export const moved = 1;\n',
          'src/sees.ts': "import { moved } from './old.ts';\nuse(moved, 'removed');\n",
          'pkg/a/a.go': 'package a\n\nfunc Run() {}\n',
          'pkg/b/b.go': 'package b\n\nfunc Run() {}\n\nfunc main() { Run() }\n',
        },
        {
          'src/money.ts': 'export const nothing = 1;\n',
          'src/pick.ts': null,
          'src/list.ts': "export { pick } from './chosen.ts';\n",
          'src/chosen.ts': 'export const pick = 1;\n',
          'src/old.ts': "export { moved } from './new.ts';\n",
          'src/new.ts': 'export const moved = 1;\n',
          'pkg/a/a.go': 'package a\n',
        },
        'removed_but_used',
      ),
    ).toEqual([]);
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
    expect(await found(before, after, 'removed_but_used')).toEqual([
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
    expect(await found(before, { ...after, ...elsewhere }, 'removed_but_used')).toEqual([]);
  });
});

describe('import_case', () => {
  it('finds added imports that differ from a file in case alone', async () => {
    expect(
      await found(
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

describe('removed_route', () => {
  it('finds removed routes of code and of OpenAPI documents that are still called', async () => {
    const document = (paths: string) =>
      `openapi: 3.0.0\ninfo: { title: Shop, version: '1' }\npaths:\n${paths}`;
    const orders = "  /orders/{id}:\n    get: { responses: { '200': { description: ok } } }\n";
    const carts = "  /carts/{id}:\n    get: { responses: { '200': { description: ok } } }\n";
    const before = {
      'openapi.yaml': document(orders + carts),
      'server.ts':
        "import express from 'express';\nconst app = express();\napp.get('/users/:id/files', list);\napp.get('/teams/:id/files', list);\n",
      'web.ts': `export const files = (id: string) => fetch(\`/users/\${id}/files\`);\nexport const order = (id: string) => fetch(\`/orders/\${id}\`);\n`,
    };
    expect(
      await found(
        before,
        {
          'openapi.yaml': document(carts),
          'server.ts':
            "import express from 'express';\nconst app = express();\napp.get('/teams/:id/files', list);\n",
        },
        'removed_route',
      ),
    ).toEqual([
      'removed_route openapi.yaml:5 GET /orders/{} was removed but is still called',
      'removed_route server.ts:3 GET /users/{}/files was removed but is still called',
    ]);
    // Moved to another file, or renamed with its calls.
    expect(
      await found(
        before,
        {
          'server.ts':
            "import express from 'express';\nconst app = express();\napp.get('/teams/:id/files', list);\n",
          'users.ts': "import express from 'express';\nexpress().get('/users/:userId/files', list);\n",
          'openapi.yaml': document(carts + orders.replace('orders', 'purchases')),
          'web.ts': `export const files = (id: string) => fetch(\`/users/\${id}/files\`);\n`,
        },
        'removed_route',
      ),
    ).toEqual([]);
  });
});

describe('what other repositories may miss', () => {
  it('is listed by the names that they use, unless the package still has it', async () => {
    const { removedNames } = await reviewChange(
      {
        'packages/money/package.json': '{ "name": "@acme/money" }\n',
        'packages/money/src/format.ts':
          'export function formatMoney() {}\nexport function moved() {}\nexport function renamed() {}\nfunction own() {}\n',
        'go.mod': 'module example.com/acme/tool\n\ngo 1.22\n',
        'pkg/text/trim.go': 'package text\n\nfunc TrimAll() {}\n\nfunc Kept() {}\n',
        'internal/x/x.go': 'package x\n\nfunc Hidden() {}\n',
        'py/pyproject.toml': '[project]\nname = "acme-rates"\n',
        'py/src/acme/rates.py': 'def convert_all():\n    return 1\n',
        'Money.java': 'package com.acme;\n\npublic class MoneyBag {\n}\n',
      },
      {
        'packages/money/src/format.ts': 'function own() {}\n',
        'packages/money/src/other.ts':
          'export function moved() {}\nfunction inner() {}\nexport { inner as renamed };\n',
        'pkg/text/trim.go': 'package text\n\nfunc Kept() {}\n',
        'internal/x/x.go': 'package x\n',
        'py/src/acme/rates.py': 'X = 1\n',
        'Money.java': null,
      },
      { listsRemoved: true },
    );
    expect(
      removedNames.map(({ file, isDeclared, line, names, package: owner, subject }) => [
        ...[subject, `${file}:${line}`, owner, isDeclared],
        names.filter((name) => !/\.js#|\/(src|index)/.test(name)),
      ]),
    ).toEqual([
      ['MoneyBag', 'Money.java:3', null, false, ['maven:com.acme.MoneyBag']],
      [
        ...['formatMoney', 'packages/money/src/format.ts:1', 'npm:@acme/money', false],
        ['npm:@acme/money#formatMoney', 'npm:@acme/money/format#formatMoney'],
      ],
      [
        'TrimAll',
        'pkg/text/trim.go:3',
        'go:example.com/acme/tool',
        false,
        ['go:example.com/acme/tool/pkg/text#TrimAll'],
      ],
      [
        ...['convert_all', 'py/src/acme/rates.py:1', 'pypi:acme-rates', true],
        ['pypi:acme#convert_all', 'pypi:acme.rates#convert_all'],
      ],
    ]);
  });
});

it('says which files it could not look at: binary ones that were added, changed or moved with changes', async () => {
  const binary = (end: string) => Buffer.concat([Buffer.alloc(2000), Buffer.from(end)]);
  const { candidates, notReviewed } = await reviewChange(
    {
      'old.png': binary('a'),
      'moved.png': Buffer.concat([binary('m'), Buffer.alloc(500, 1)]),
      'same.png': binary('s'),
    },
    {
      'added.png': binary('b'),
      'old.png': binary('c'),
      'moved.png': null,
      'to.png': Buffer.concat([binary('n'), Buffer.alloc(500, 1)]),
      'a.txt': 'text\n',
    },
  );
  const reason = 'binary or larger than 16 MiB';
  expect(notReviewed).toEqual(['added.png', 'old.png', 'to.png'].map((path) => ({ path, reason })));
  expect(candidates).toEqual([]);
});
