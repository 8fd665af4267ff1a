/** Imports of files that were moved, on real repositories. */
import { describe, expect, it } from 'vitest';
import { findingsOf, reviewChange } from '../../../../../test/helpers/git/review-change.ts';

/** Long enough that git sees the same file at its new path. */
const filled = (text: string) =>
  `${text}\n${Array.from({ length: 12 }, (_, line) => `# ${line} of this file\n`).join('')}`;
const script = (text: string) => filled(text).replaceAll(/^#/gm, '//');

async function findMoved(
  before: Record<string, string>,
  moves: Record<string, string>,
  after: Record<string, string> = {},
): Promise<string[]> {
  return findingsOf(before, { ...movedTo(before, moves), ...after }, 'moved_file_imported');
}

/** Where the old path is still imported. */
async function findPlaces(
  before: Record<string, string>,
  moves: Record<string, string>,
  after: Record<string, string> = {},
): Promise<string[]> {
  const result = await reviewChange(
    before,
    { ...movedTo(before, moves), ...after },
    { only: 'moved_file_imported' },
  );
  return result.candidates
    .flatMap(({ evidence, fate }) =>
      evidence.map(({ line, path }) => `${fate.kind === 'finding' ? '' : 'refused '}${path}:${line}`),
    )
    .sort();
}

function movedTo(before: Record<string, string>, moves: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(moves).flatMap(([from, to]) => [[from, null] as const, [to, before[from]!] as const]),
  );
}

describe('moved_file_imported', () => {
  it('finds imports, calls and mocks of a moved script, and says nothing once they follow', async () => {
    const before = {
      'src/old/price.ts': script('export const price = 1;'),
      'src/old/tax.ts': script('export const tax = 1;'),
      'src/style.css': script('.page { color: red }'),
      'src/cart.ts': "import {\n  price,\n} from './old/price.js';\nexport const cart = price;\n",
      'src/page.ts': "import './style.css';\nexport const load = () => import('./old/tax');\n",
      'src/cart.test.ts': "vi.mock('./old/price', () => ({}));\n",
      'src/view.vue': "<script>\nimport './style.css';\n</script>\n",
      // None of these breaks.
      'src/comment.ts':
        "// import { price } from './old/price.js';\nexport const text = `import('./old/price')`;\n",
      'src/fixtures/broken.ts': "import { price } from '../old/price';\n",
      'src/other/old/price.ts': script('export const other = 2;'),
      'src/other/cart.ts': "import { other } from './old/price';\nexport const cart = other;\n",
    };
    const moves = {
      'src/old/price.ts': 'src/new/price.ts',
      'src/old/tax.ts': 'src/new/tax.ts',
      'src/style.css': 'src/styles/page.css',
    };
    expect(await findMoved(before, moves)).toEqual([
      'moved_file_imported src/old/price.ts:1 Files of src/old/ were moved but are still imported from there',
      'moved_file_imported src/style.css:1 src/style.css was moved but is still imported',
    ]);
    const followed = {
      'src/cart.ts': "import {\n  price,\n} from './new/price.js';\nexport const cart = price;\n",
      'src/page.ts': "import './styles/page.css';\nexport const load = () => import('./new/tax');\n",
      'src/cart.test.ts': "vi.mock('./new/price', () => ({}));\n",
      'src/view.vue': "<script>\nimport './styles/page.css';\n</script>\n",
    };
    expect(await findMoved(before, moves, followed)).toEqual([]);
  });

  it('finds the import of a folder that was moved without its index', async () => {
    const before = {
      'src/page/view.ts': script('export const view = 1;'),
      'src/page/index.ts': "export { view } from './view';\n",
      'src/app.ts': "import { view } from './page';\nexport const app = view;\n",
    };
    expect(
      await findingsOf(
        before,
        {
          'src/page/view.ts': null,
          'src/page/index.ts': null,
          'src/views/view.ts': before['src/page/view.ts'],
        },
        'moved_file_imported',
      ),
    ).toEqual([
      'moved_file_imported src/page/index.ts:1 src/page/index.ts was deleted but is still imported',
    ]);
  });

  it('leaves alone an import that means another file now', async () => {
    const before = {
      'src/view.ts': script('export const view = 1;'),
      'src/list.ts': script('export const list = 1;'),
      'src/page.ts':
        "import { view } from './view';\nimport { list } from './list';\nexport const page = [view, list];\n",
    };
    const moves = { 'src/view.ts': 'src/parts/view.ts', 'src/list.ts': 'src/parts/list.ts' };
    const instead = {
      'src/view/index.ts': 'export const view = 2;\n',
      'src/list.vue': '<script></script>\n',
    };
    expect(await findMoved(before, moves, instead)).toEqual([]);
  });

  it('follows the paths of tsconfig.json, with comments and a parent', async () => {
    const before = {
      'tsconfig.base.json':
        '{\n  // Where "@/" leads.\n  "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"], "*": ["types/*"] }, },\n}\n',
      'tsconfig.json': '{ "extends": "./tsconfig.base.json" }\n',
      'src/money/price.ts': script('export const price = 1;'),
      'src/cart.ts':
        "import { price } from '@/money/price';\nimport { other } from '@other/money/price';\nexport const cart = [price, other];\n",
    };
    expect(await findMoved(before, { 'src/money/price.ts': 'src/price.ts' })).toEqual([
      'moved_file_imported src/money/price.ts:1 src/money/price.ts was moved but is still imported',
    ]);
  });

  it('finds modules of Python, but not optional ones or names that a package defines', async () => {
    const before = {
      'shop/__init__.py': '',
      'shop/money.py': filled('PRICE = 1'),
      'shop/extra.py': filled('EXTRA = 1'),
      'shop/parts/__init__.py': 'from ..new import named\n',
      'shop/views/__init__.py': 'from . import cart_view\n',
      'shop/views/cart_view.py': filled('view = 1'),
      'shop/tests/cart_view/test_view.py': 'import shop\n',
      'shop/parts/named.py': filled('named = 1'),
      'shop/cart.py': 'from . import money\nfrom shop.parts import (\n    named,\n)\n',
      'shop/page.py': 'from shop.money import PRICE\n',
      'shop/maybe.py': 'try:\n    from shop.extra import EXTRA\nexcept ImportError:\n    EXTRA = 2\n',
      'tests/test_cart.py': 'import shop.money as money\n',
    };
    const moves = {
      'shop/money.py': 'shop/new/money.py',
      'shop/extra.py': 'shop/new/extra.py',
      'shop/parts/named.py': 'shop/new/named.py',
      'shop/views/cart_view.py': 'shop/views/view_of_cart.py',
    };
    const found = await findMoved(before, moves, { 'shop/new/__init__.py': '' });
    expect(found).toEqual([
      'moved_file_imported shop/money.py:1 shop/money.py was moved but is still imported',
      'moved_file_imported shop/views/cart_view.py:1 shop/views/cart_view.py was moved but is still imported',
    ]);
  });

  it('finds packages of Go whose folder is gone, classes of Java, modules of Rust and files of Ruby', async () => {
    const before = {
      'go.mod': 'module example.com/shop\n',
      'money/price.go': script('package money\n\nconst Price = 1'),
      'cart/cart.go': 'package cart\n\nimport "example.com/shop/money"\n\nvar Total = money.Price\n',
      'app/src/main/java/org/shop/money/Price.java': script(
        'package org.shop.money;\n\npublic class Price {}',
      ),
      'app/src/main/java/org/shop/Cart.java':
        'package org.shop;\n\nimport org.shop.money.Price;\n\nclass Cart { Price price; }\n',
      'crate/src/lib.rs': '#[cfg(feature = "price")]\npub mod price;\n#[cfg(any())]\nmod tax;\n',
      'crate/src/price.rs': script('pub const PRICE: i32 = 1;'),
      'crate/src/tax.rs': script('pub const TAX: i32 = 1;'),
      'lib/price.rb': filled('PRICE = 1'),
      'lib/cart.rb': "require_relative 'price'\n",
    };
    const found = await findMoved(before, {
      'money/price.go': 'pricing/price.go',
      'app/src/main/java/org/shop/money/Price.java': 'app/src/main/java/org/shop/pricing/Price.java',
      'crate/src/price.rs': 'crate/src/money/price.rs',
      'crate/src/tax.rs': 'crate/src/money/tax.rs',
      'lib/price.rb': 'lib/shop/price.rb',
    });
    expect(found.map((line) => line.split(' ')[1]).sort()).toEqual([
      'app/src/main/java/org/shop/money/Price.java:1',
      'crate/src/price.rs:1',
      'lib/price.rb:1',
      'money/price.go:1',
    ]);
  });

  it('learns from other imports what an alias means, and leaves it alone where they do not tell', async () => {
    const uses = (prefix: string, names: string[]) =>
      names.map((name) => `import '${prefix}/${name}';\n`).join('');
    const parts = Object.fromEntries(
      ['a', 'b', 'c'].flatMap((name) => [
        [`web/src/parts/${name}.js`, `export const ${name} = 1;\n`],
        [`packages/money/src/${name}.ts`, `export const ${name} = 1;\n`],
      ]),
    );
    const before = {
      ...parts,
      'package.json': '{"name": "shop", "workspaces": ["web", "packages/*"]}\n',
      'web/package.json': '{"name": "web", "dependencies": {"parts": "1.0.0"}}\n',
      'web/vite.config.js': "export default { resolve: { alias: { '@': '/src' } } };\n",
      'packages/money/package.json':
        '{"name": "@acme/money", "exports": {"./*": "./src/*.ts", "./set": "./src/tax/set.ts"}}\n',
      'packages/money/src/tax/rate.ts': script('export const rate = 1;'),
      'packages/money/src/tax/set.ts': script('export const set = 1;'),
      'packages/money/src/set.ts': script('export const set = 2;'),
      'web/src/parts/price.js': script('export const price = 1;'),
      'web/src/parts/two.js': script('export const two = 1;'),
      'web/src/all.js': uses('@/parts', ['a', 'b', 'c']) + uses('@acme/money', ['a', 'b', 'c']),
      'web/src/few.js': uses('~', ['parts/two']) + uses('parts', ['a', 'b', 'c']),
      'web/src/routes.js':
        "export const routes = [{ path: '/price', load: () => import('@/parts/price') }];\nexport const lazy = () =>\n  import(\n    /* webpackChunkName: \"rate\" */\n    '@acme/money/tax/rate'\n  );\n",
      // An installed package, a name that the package maps itself, an alias with one example, and a template.
      'web/src/others.js': "import 'parts/price';\nimport '@acme/money/set';\nimport '~/parts/two';\n",
      'web/src/text.js': "export const text = `\n  import('@/parts/price')\n`;\n",
    };
    const moves = {
      'web/src/parts/price.js': 'web/src/price.js',
      'web/src/parts/two.js': 'web/src/two.js',
      'packages/money/src/tax/rate.ts': 'packages/money/src/rate.ts',
      'packages/money/src/set.ts': 'packages/money/src/other/set.ts',
    };
    expect(await findPlaces(before, moves)).toEqual(['web/src/routes.js:1', 'web/src/routes.js:5']);
    const config = "export default { resolve: { alias: { '@/parts/price': '/src/price.js' } } };\n";
    expect(await findPlaces(before, moves, { 'web/vite.config.js': config })).toEqual([
      'web/src/routes.js:5',
    ]);
  });

  it('finds style sheets, imports in functions of Python and names in patch, and what Ruby requires', async () => {
    const before = {
      'css/_colors.scss': '// One.\n'.repeat(12),
      'css/parts/grid.scss': '// Two.\n'.repeat(12),
      'css/page.scss': "@use 'colors';\n@import './parts/grid', 'other';\n@import '~parts/grid';\n",
      'shop/__init__.py': '',
      'shop/money.py': filled('def price(): pass'),
      'shop/cart.py':
        'def total():\n    """from shop.money import price"""\n    from shop.money import price\n    return price()\n',
      'tests/test_cart.py':
        'from unittest.mock import patch\n\n\n@patch("shop.money.price")\ndef test_total(price):\n    """\n    patch("shop.money.price")\n    """\n    assert price\n',
      'lib/shop/price.rb': filled('PRICE = 1'),
      'lib/shop/tax.rb': filled('TAX = 1'),
      'lib/shop.rb': "require 'shop/price'\nmodule Shop\n  autoload :Tax, 'shop/tax'\nend\n",
      'lib/text.rb': "TEXT = <<~RUBY\n  require 'shop/price'\nRUBY\n",
      'lib/maybe.rb': "begin\n  require 'shop/tax'\nrescue LoadError\nend\n",
    };
    const moves = {
      'css/_colors.scss': 'css/base/_colors.scss',
      'css/parts/grid.scss': 'css/base/grid.scss',
      'shop/money.py': 'shop/pricing.py',
      'lib/shop/price.rb': 'lib/shop/cash/price.rb',
      'lib/shop/tax.rb': 'lib/shop/cash/tax.rb',
    };
    const found = ['css/page.scss:1', 'css/page.scss:2', 'lib/shop.rb:1', 'lib/shop.rb:3', 'shop/cart.py:3'];
    expect(await findPlaces(before, moves)).toEqual([...found, 'tests/test_cart.py:4']);
    // The package may have the name by other means, as an attribute but not as a module; and Sass may look in other folders.
    const passedOn = {
      'shop/__init__.py': 'from . import pricing as money\n',
      'build.js': "sass.compile('css/page.scss', { loadPaths: ['css/base'] });\n",
    };
    expect(await findPlaces(before, moves, passedOn)).toEqual(found.slice(1));
  });

  it('finds names that moved to another package of Go and Java, and modules that Rust uses', async () => {
    const java = (name: string, body = '') => `package org.shop;\n\npublic class ${name} {${body}}\n`;
    const before = {
      'go.mod': 'module example.com/shop\n',
      'money/price.go': script('package money\n\nconst Price = 1\n\nconst Kept = 1'),
      'money/tax.go': 'package money\n\nconst Tax = 1\n',
      'cart/cart.go':
        'package cart\n\nimport cash "example.com/shop/money"\n\nvar Total = cash.Tax + cash.Kept\nvar Sum = cash.Price // Price\n',
      'src/org/shop/Price.java': script('package org.shop;\n\npublic class Price {}'),
      'src/org/shop/Cart.java': java('Cart', ' Price price; '),
      'src/org/shop/Own.java': java('Own', ' class Price {} Price price; '),
      'src/org/shop/Star.java': 'package org.shop;\n\nimport org.other.*;\n\nclass Star { Price price; }\n',
      'src/org/other/Use.java':
        'package org.other;\n\nimport static org.shop.Price.Unit.*;\n\nclass Use {}\n',
      'crate/Cargo.toml': '[package]\nname = "shop"\n',
      'crate/src/lib.rs': 'pub mod price;\npub mod kept;\npub mod cart;\n',
      'crate/src/price.rs': script('pub const PRICE: i32 = 1;'),
      'crate/src/kept.rs': script('pub const KEPT: i32 = 1;'),
      'crate/src/cart.rs': 'use crate::price::PRICE;\nuse crate::{kept::KEPT, cart};\n',
      'other/Cargo.toml': '[package]\nname = "other"\n[dependencies]\nshop = { path = "../crate" }\n',
      'other/src/lib.rs': 'use shop::{\n    price::{PRICE},\n};\n',
      'third/Cargo.toml': '[package]\nname = "third"\n[dependencies]\nshop = "1"\n',
      'third/src/lib.rs': 'use shop::price::PRICE;\n',
    };
    const moves = {
      'money/price.go': 'pricing/price.go',
      'src/org/shop/Price.java': 'src/org/money/Price.java',
      'crate/src/price.rs': 'crate/src/money/price.rs',
      'crate/src/kept.rs': 'crate/src/money/kept.rs',
    };
    const after = {
      'money/kept.go': 'package money\n\nconst Kept = 1\n',
      'src/org/money/Price.java': script('package org.money;\n\npublic class Price {}'),
      'crate/src/lib.rs':
        '//! A price.\ncompile_error!("No price");\npub mod money;\npub use money::kept;\npub mod cart;\n',
    };
    expect(await findPlaces(before, moves, after)).toEqual([
      'cart/cart.go:6',
      'crate/src/cart.rs:1',
      'other/src/lib.rs:2',
      'src/org/other/Use.java:3',
    ]);
    // Cart.java could inherit the class of this name in Own.java.
    expect(await findPlaces(before, moves, { ...after, 'src/org/shop/Own.java': java('Own') })).toEqual([
      'cart/cart.go:6',
      'crate/src/cart.rs:1',
      'other/src/lib.rs:2',
      'src/org/other/Use.java:3',
      'src/org/shop/Cart.java:3',
    ]);
  });

  it('finds namespaces of C# that are gone, types that moved to another, and projects', async () => {
    const type = (namespace: string, name: string) =>
      `namespace ${namespace};\n\npublic class ${name} {}\n${'// Filled.\n'.repeat(12)}`;
    const before = {
      'src/Money/Money.csproj': `<Project>\n${'  <A />\n'.repeat(12)}</Project>\n`,
      'src/Cart/Cart.csproj':
        '<Project>\n  <ProjectReference Include="..\\Money\\Money.csproj" />\n  <ProjectReference Include="$(Root)\\Money\\Money.csproj" />\n</Project>\n',
      'src/Money/Price.cs': type('Shop.Money.Old', 'Price'),
      'src/Money/Rate.cs': type('Shop.Money', 'Rate'),
      'src/Money/Other.cs': type('Shop.Money', 'Other'),
      'src/Cart/Cart.cs': 'using Shop.Money.Old;\nusing Shop.Money;\n\nclass Cart { }\n',
      'src/Cart/Total.cs':
        'using Acme.Rates;\nusing Shop.Money;\nclass Total {\n  // new Rate()\n  object Rate = new Rate();\n}\n',
      'src/Cart/Sum.cs': 'using Shop.Money;\nusing Shop.Rates;\n\nclass Sum { object rate = new Rate(); }\n',
      'src/Cart/Inside.cs': 'namespace Shop.Cart\n{\n    using Money.Old;\n}\n',
      'src/Cart/Acme.cs': 'namespace Acme\n{\n    using Shop.Money.Old;\n}\n',
      'src/Cart/Text.cs': 'class Text { string code = @"\nusing Shop.Money.Old;\n"; }\n',
      'src/Cart/If.cs': '#if OLD\nusing Shop.Money.Old;\n#endif\nclass If { }\n',
    };
    const moves = {
      'src/Money/Money.csproj': 'src/Pricing/Money.csproj',
      'src/Money/Price.cs': 'src/Pricing/Price.cs',
      'src/Money/Rate.cs': 'src/Pricing/Rate.cs',
    };
    const after = {
      'src/Pricing/Price.cs': type('Shop.Pricing', 'Price'),
      'src/Pricing/Rate.cs': type('Shop.Rates', 'Rate'),
    };
    const found = [
      'src/Cart/Acme.cs:3',
      'src/Cart/Cart.cs:1',
      'src/Cart/Cart.csproj:2',
      'src/Cart/Inside.cs:3',
      'src/Cart/Total.cs:5',
    ];
    expect(await findPlaces(before, moves, after)).toEqual(found);
    // A namespace within another can be named there by its end.
    const longer = { ...after, 'src/Money/New.cs': type('Acme.Shop.Money.Old', 'New') };
    expect(await findPlaces(before, moves, longer)).toEqual(found.slice(1));
  });
});
