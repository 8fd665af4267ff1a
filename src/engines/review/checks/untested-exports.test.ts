/** The list of changed exports that no test mentions, on real repositories. */
import { expect, it } from 'vitest';
import { describeReview, reviewChange } from '../../../../test/helpers/git/review-change.ts';

async function untested(before: Record<string, string>, after: Record<string, string>): Promise<string[]> {
  const result = await reviewChange({ 'keep.txt': 'keep\n', ...before }, after, { only: 'untested_export' });
  expect(describeReview(result)).toEqual([]);
  return result.checks[0]!.places?.map(({ line, name, path }) => `${name} ${path}:${line}`) ?? [];
}

it('lists changed functions, methods and classes, the innermost of them, and only those that are exported', async () => {
  const before = {
    'src/money.ts':
      'export function format(n: number) {\n  return n;\n}\nexport function parse(t: string) {\n  return t;\n}\nfunction inner() {}\nexport const LIMIT = 1;\n',
    'src/money.test.ts': "import { format } from './money.ts';\nformat(1); // reparse\n",
  };
  const after = {
    'src/money.ts':
      'export function format(n: number) {\n  return n + 1;\n}\nexport function parse(t: string) {\n  return t + 1;\n}\nfunction inner() { return 1; }\nexport const LIMIT = 2;\nexport const round = (n: number) => n;\nexport interface Price { n: number }\n',
    'src/cart.ts':
      'export class Cart {\n  constructor() {\n    this.n = 1;\n  }\n  total() {\n    return this.n;\n  }\n}\n',
    'docs/example.ts': 'export function shown() {}\n',
    'src/new.test.ts': 'export function helper() {}\n',
  };
  expect(await untested(before, after)).toEqual([
    'Cart src/cart.ts:1',
    'total src/cart.ts:5',
    'parse src/money.ts:4',
    'round src/money.ts:9',
  ]);
  // A test that comes with the change counts, and so does one that was there.
  expect(await untested(before, { ...after, 'test/cart.ts': 'new Cart().total(); parse; round;\n' })).toEqual(
    [],
  );
});

it('leaves alone what tests know by another name, and what only declares', async () => {
  const after = {
    'src/a.ts':
      'function hidden() {}\nexport { hidden as shown };\nexport default function named() {}\nexport interface Reader {\n  readAll(): void;\n}\nexport function plain() {}\n',
    'src/types.d.ts': 'export function declared(): void;\n',
  };
  expect(await untested({ 'a.test.ts': 'it();\n' }, after)).toEqual(['plain src/a.ts:7']);
});

it('takes linear time', async () => {
  const nested = (count: number) =>
    Array.from({ length: count }, (_, n) => `func F${n}() {\n\tx()\n}\n`).join('');
  const found = await untested(
    { 'a_test.go': 'package a\n', 'a.go': `package a\n${nested(9000)}` },
    { 'a.go': `package a\n${nested(9000)}${'var x = 1\n'.repeat(100_000)}` },
  );
  expect(found).toEqual([]);
}, 20_000);

it('lists nothing that stayed as it was, and nothing in a language without tests', async () => {
  const go = { 'money.go': 'package money\n\nfunc Format() int {\n\treturn 1\n}\n\nfunc Parse() {}\n' };
  const changed = { 'money.go': go['money.go'].replace('return 1', 'return 2') };
  expect(await untested(go, changed)).toEqual([]);
  expect(await untested({ ...go, 'a.test.ts': 'it();\n' }, changed)).toEqual([]);
  expect(await untested({ ...go, 'other_test.go': 'package money\n' }, changed)).toEqual([
    'Format money.go:3',
  ]);
  const shorter = { 'money.go': go['money.go'].replace('\treturn 1\n', '') };
  expect(await untested({ ...go, 'other_test.go': 'package money\n' }, shorter)).toEqual([]);
});

it('knows that tests of Rust are in the files of what they test', async () => {
  const code = (tests: string) =>
    `pub fn format() {}\npub fn parse() { format() }\n\n#[cfg(test)]\nmod tests {\n    pub fn helper() {}\n${tests}}\n`;
  expect(await untested({}, { 'src/lib.rs': code('    fn t() { format(); }\n') })).toEqual([
    'parse src/lib.rs:2',
  ]);
  expect(await untested({}, { 'src/lib.rs': code(''), 'src/b.rs': 'fn parse2() { parse(); }\n' })).toEqual([
    'format src/lib.rs:1',
    'parse src/lib.rs:2',
  ]);
});

it('searches again for other names where tests have too many lines', async () => {
  const often = 'common();\n'.repeat(6000);
  const exported = (name: string) => `export function ${name}() {}\n`;
  const after = { 'src/a.ts': ['common', 'rare', 'named'].map(exported).join('') };
  expect(await untested({ 'a.test.ts': `${often}named();\n` }, after)).toEqual(['rare src/a.ts:2']);
});
