/** Names whose import or definition was removed while the file still uses them, in real repositories. */
import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../../../../test/helpers/git/review-change.ts';

type Files = Record<string, string>;

/** Each file at the base with its first lines, and at the head without them. */
async function findWithout(removed: Files, kept: Files, others: Files = {}): Promise<string[]> {
  const before = Object.entries(kept).map(([path, text]) => [path, `${removed[path] ?? ''}${text}`] as const);
  return findingsOf({ ...Object.fromEntries(before), ...others }, kept, 'undefined_name');
}

describe('undefined_name in scripts', () => {
  it('finds values, types, components and definitions that are still used, and where', async () => {
    const found = await findWithout(
      {
        'src/page.tsx': "import {\n  total,\n  Card,\n  type Price,\n} from './cart';\nconst limit = 3;\n",
        'src/run.js': "const { run } = require('./cart');\n",
      },
      {
        'src/page.tsx':
          "import { other } from './cart';\nexport function Page(price: Price) {\n  return <Card price={total(price, limit, other)} />;\n}\nexport const shorthand = { total };\n",
        'src/run.js': "const other = require('./other');\nmodule.exports = () => other(run);\n",
      },
    );
    expect(found.sort()).toEqual([
      'undefined_name src/page.tsx:2 total is no longer imported but still used in page.tsx',
      'undefined_name src/page.tsx:3 Card is no longer imported but still used in page.tsx',
      'undefined_name src/page.tsx:4 Price is no longer imported but still used in page.tsx',
      'undefined_name src/page.tsx:6 limit is no longer defined but still used in page.tsx',
      'undefined_name src/run.js:1 run is no longer imported but still used in run.js',
    ]);
  });

  it('counts a name as used where the only other one is in another function, or is passed on', async () => {
    const found = await findWithout(
      { 'src/a.ts': "import { total } from './cart';\n", 'src/b.ts': "import { total } from './cart';\n" },
      {
        'src/a.ts':
          'export const one = (total: number) => total;\nexport function two() {\n  return total(1);\n}\n',
        'src/b.ts': "export { total } from './cart';\nexport const sum = total(1);\n",
      },
    );
    expect(found).toHaveLength(1);
    // Both are one finding: the same name was lost.
    expect(found[0]).toContain('total is no longer imported');
  });

  it('says nothing about parameters, members, keys, texts, comments, types of their own and what is asked for', async () => {
    const bodies = [
      'export const one = (total: number) => total;',
      'export const two = ({ total }: Sum) => total;',
      'export const three = ({ sum: total, ...rest }: Sum) => [total, rest];',
      'export const four = other.total + other?.total;',
      "export const five = { total: 1, 'x': 2 };",
      'export const six = "total"; // total\n/* total */',
      'export function seven() { try { run(); } catch (total) { return total; } }',
      'export function eight() { for (const total of list) use(total); }',
      'export function total() { return total; }',
      'export type Nine<total> = total[];',
      'export class Ten { total() { return this.total; } }',
      "export const eleven = typeof total === 'undefined' ? 1 : total;",
      'export const twelve = <total>{ text }</total>;',
      "export { total } from './cart';",
      'export enum Sizes { total = 1, twice = total << 1 }',
      "import { total } from './other';\nexport const last = total;",
      "import other, * as total from './other';\nexport const last = total;",
    ];
    const paths = bodies.map((_, index) => `src/file${index}.tsx`);
    const removed = Object.fromEntries(paths.map((path) => [path, "import { total } from './cart';\n"]));
    const kept = Object.fromEntries(
      bodies.map((body, index) => [`src/file${index}.tsx`, `import './start';\n${body}\n`]),
    );
    expect(await findWithout(removed, kept)).toEqual([]);
  });

  it('says nothing about what the platform, a setting, another script or a framework provides', async () => {
    const removed = {
      'src/a.ts': "import { URL } from 'node:url';\nimport { describe } from 'vitest';\n",
      'src/b.ts': "import { shared } from './shared';\n",
      'src/c.ts': "import { VERSION } from './version';\n",
      'src/d.ts': "import { ambient } from './ambient';\n",
      'src/page.js': "import { onPage } from './page-names';\n",
      'site/page.ts': "import { useThing } from './things';\n",
      'src/types.tsx': "import React from 'react';\n",
    };
    const kept = {
      'src/a.ts': "export const url = new URL('x:');\ndescribe('a', () => {});\n",
      'src/b.ts': 'export const b = shared();\n',
      'src/c.ts': 'export const c = VERSION;\n',
      'src/d.ts': 'export const d = ambient;\n',
      'src/page.js': 'onPage();\n',
      'site/page.ts': "import './x';\nexport const e = useThing();\n",
      'src/types.tsx': "import './x';\nexport type Part = React.ReactNode;\n",
    };
    const others = {
      // Used there without an import before, so something makes it global.
      'src/elsewhere.ts': 'export const all = shared();\n',
      'vite.config.ts': "export default { define: {\n  VERSION: 'true',\n} };\n",
      'types/names.d.ts': 'declare const ambient: string;\n',
      'site/nuxt.config.ts': 'export default {};\n',
    };
    expect(await findWithout(removed, kept, others)).toEqual([]);
    const { 'site/nuxt.config.ts': _, ...without } = others;
    expect(await findWithout(removed, kept, without)).toEqual([
      'undefined_name site/page.ts:1 useThing is no longer imported but still used in page.ts',
    ]);
  });

  it('leaves files alone that were generated, are examples of broken code, or have large syntax errors', async () => {
    const line = "import { total } from './cart';\n";
    const use = "import './x';\nexport const sum = total();\n";
    expect(
      await findWithout(
        { 'src/a.ts': line, 'src/fixtures/b.ts': line, 'src/c.ts': line },
        {
          'src/a.ts': `// @generated\n${use}`,
          'src/fixtures/b.ts': use,
          'src/c.ts': `${use}const x = {{{\n  a b c ) total\n\n\n\n\n ]]\n`,
        },
      ),
    ).toEqual([]);
  });
});

describe('undefined_name in Python', () => {
  it('finds modules, names and decorators, also where only another function imports them', async () => {
    const found = await findWithout(
      {
        'shop/a.py': 'import json\nfrom shop.cart import (\n    total,\n    cached as kept,\n)\n',
        'shop/b.py': 'import re\n',
        'shop/c.py': 'from shop.errors import Failed\n',
      },
      {
        'shop/a.py': '@kept\ndef page(x: int):\n    return json.dumps({"t": total(x)})\n',
        'shop/b.py': 'def one():\n    import re\n    return re\n\n\ndef two():\n    return re.compile("x")\n',
        'shop/c.py': 'try:\n    run()\nexcept Failed as error:\n    db.exec(error)\n',
      },
      // Many tools are named in settings.
      { 'pyproject.toml': '[tool]\njson = true\n' },
    );
    expect(found.sort()).toEqual([
      'undefined_name shop/a.py:1 json is no longer imported but still used in a.py',
      'undefined_name shop/a.py:3 total is no longer imported but still used in a.py',
      'undefined_name shop/a.py:4 kept is no longer imported but still used in a.py',
      'undefined_name shop/b.py:1 re is no longer imported but still used in b.py',
      'undefined_name shop/c.py:1 Failed is no longer imported but still used in c.py',
    ]);
  });

  it('says nothing about what is bound anywhere around, imported whole, handled or built in', async () => {
    const bodies = [
      'def page(total):\n    return total\n',
      'def page(*total, **kw):\n    return lambda: total\n',
      'def page():\n    with open("x") as (total, other):\n        return total\n',
      'values = [total for total in range(3)]\n',
      'if (total := 3):\n    print(total)\n',
      'from shop.other import *\nprint(total)\n',
      'try:\n    total\nexcept NameError:\n    total = None\n',
      'try:\n    from a import total\nexcept ImportError:\n    from b import total\nprint(total)\n',
      'call(total=1)\nvalue.total\n"total"\n# total\n',
      'match value:\n    case Point(x=total):\n        print(total)\n    case [1, *total]:\n        print(total)\n',
      'class A:\n    total = 1\n    def page(self):\n        return self.total\n',
      'def page():\n    global total\n    total = 1\n    return total\n',
      'for total, other in []:\n    print(total)\n',
      'def page[total](x: total) -> total: ...\n',
      'import total.parts\nprint(total)\n',
    ];
    const removed = Object.fromEntries(
      bodies.map((_, index) => [`shop/f${index}.py`, 'from shop.cart import total, reduce, input\n']),
    );
    const kept = Object.fromEntries(
      bodies.map((body, index) => [`shop/f${index}.py`, `${body}input(reduce)\n`]),
    );
    expect(await findWithout(removed, kept)).toEqual([]);
  });
});

describe('undefined_name in Go and Java', () => {
  it('finds packages of Go, unless the package, a variable or a new import has the name', async () => {
    const use = 'func Run() { log.Print(money.Price) }\n';
    const start = 'package shop\n\n';
    const found = await findingsOf(
      {
        'a/a.go': `${start}import (\n\t"log"\n\t"example.com/shop/money"\n)\n\n${use}`,
        'b/b.go': `${start}import (\n\t"log"\n\t"example.com/shop/money"\n)\n\n${use}`,
        'c/c.go': `${start}import (\n\t"log"\n\t"example.com/shop/money"\n)\n\n${use}`,
        'd/d.go': `${start}import "example.com/shop/money"\n\nfunc Run(money Money) { money.Pay() }\n`,
      },
      {
        'a/a.go': `${start}import "log"\n\n${use}`,
        'b/b.go': `${start}import "log"\n\n${use}`,
        'b/names.go': `${start}var money = Money{}\n`,
        'c/c.go': `${start}import (\n\t"log"\n\t"example.com/shop/pricing-v2"\n)\n\n${use}`,
        'd/d.go': `${start}func Run(money Money) { money.Pay() }\n`,
      },
      'undefined_name',
    );
    expect(found).toEqual(['undefined_name a/a.go:5 money is no longer imported but still used in a.go']);
  });

  it('finds classes of Java, unless the package, the file or a parent can have them', async () => {
    const start = 'package org.shop;\n';
    const line = 'import org.money.Price;\n';
    const use = 'Price price = Price.of(1);';
    const file = (text: string) => ({ [line]: `${start}${line}${text}\n`, '': `${start}${text}\n` });
    const files: Record<string, Record<string, string>> = {
      'src/A.java': file(`class A { @Deprecated ${use} }`),
      'src/B.java': file(`class B { ${use} static class Price {} }`),
      'src/C.java': file('class C { /** Price */ String text = "Price"; int x = this.Price; }'),
      'src/D.java': file(`import org.other.*;\nclass D { ${use} }`),
      'src/E.java': file(`class E<Price> { Price price; }`),
    };
    const at = (key: string) =>
      Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text[key]!]));
    const lost = ['undefined_name src/A.java:2 Price is no longer imported but still used in A.java'];
    expect(await findingsOf(at(line), at(''), 'undefined_name')).toEqual(lost);
    const own = { 'src/main/java/org/shop/Price.java': `${start}public class Price {}\n` };
    expect(await findingsOf({ ...at(line), ...own }, at(''), 'undefined_name')).toEqual([]);
  });
});
