/** Imports of files that were moved, on real repositories. */
import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../../../../test/helpers/git/review-change.ts';

/** Long enough that git sees the same file at its new path. */
const filled = (text: string) =>
  `${text}\n${Array.from({ length: 12 }, (_, line) => `# ${line} of this file\n`).join('')}`;
const script = (text: string) => filled(text).replaceAll(/^#/gm, '//');

async function findMoved(
  before: Record<string, string>,
  moves: Record<string, string>,
  after: Record<string, string> = {},
): Promise<string[]> {
  const moved = Object.entries(moves).flatMap(([from, to]) => [
    [from, null] as const,
    [to, before[from]!] as const,
  ]);
  return findingsOf(before, { ...Object.fromEntries(moved), ...after }, 'moved_file_imported');
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
      'crate/src/lib.rs': 'pub mod price;\n#[cfg(feature = "tax")]\nmod tax;\n',
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
});
