/** What changed signatures and contracts break, and what they leave alone, on real repositories. */
import { describe, expect, it } from 'vitest';
import type { FixtureFiles } from '../../../../test/git-fixtures.ts';
import { describeReview, reviewChange } from '../../../../test/review-change.ts';
import { countArguments } from '../count-arguments.ts';

async function found(before: FixtureFiles, after: FixtureFiles, only: string): Promise<string[]> {
  return describeReview(await reviewChange({ 'keep.txt': 'keep\n', ...before }, after, { only }));
}

it('counts the arguments of calls, and says when it cannot', () => {
  const cases: [string, string, number | undefined][] = [
    ['typescript', ') + 1', 0],
    ['typescript', 'a, [b, c], { d, e }, f(g, h),\n) // x', 4],
    ['typescript', "'a, b)', `c, )`, /* d, */ e)", 3],
    ['typescript', '(a, b) => a, c)', 2],
    ['typescript', '...all)', undefined],
    ['typescript', 'a as Map<string, number>)', undefined],
    ['typescript', 'a, b', undefined],
    ['typescript', 'a]', undefined],
    ['python', 'a, key="x, y", # b,\n  c)', 3],
    ['python', '"""a, )""", b)', 2],
    ['python', '*all)', undefined],
    ['python', 'lambda a, b: a)', undefined],
    ['go', 'a, func(b, c int) {})', 2],
    ['go', 'both())', undefined],
    ['go', 'all...)', undefined],
  ];
  expect(cases.map(([language, text]) => countArguments(text, language))).toEqual(
    cases.map(([, , count]) => count),
  );
});

describe('changed_signature', () => {
  const before = {
    'src/mail.ts':
      'export function send(to: string, text?: string) {}\nexport const pack = (a: string, b: string) => a;\n',
    'src/signup.ts': "import { send as mail } from './mail.ts';\nmail(\n  'a',\n);\n",
    'src/invite.ts': "import { pack } from './mail.ts';\npack('a', 'b');\n",
    'app/rates.py': 'def convert(amount, rate=1):\n    return amount\n\n\ndef load(path):\n    pass\n',
    'app/shop.py': 'from app.rates import convert\n\nconvert(1)\n',
    'pkg/store/store.go': 'package store\n\nfunc Open(path string) {}\n\nfunc Close() {}\n',
    'main.go': 'package main\n\nimport "example.com/shop/pkg/store"\n\nfunc main() {\n\tstore.Open("a")\n}\n',
  };

  it('finds calls that fit only the old parameters', async () => {
    const after = {
      'src/mail.ts':
        'export function send(to: string, from: string, text?: string) {}\nexport const pack = (a: string) => a;\n',
      'app/rates.py': 'def convert(amount, rate):\n    return amount\n\n\ndef load(path):\n    pass\n',
      'pkg/store/store.go': 'package store\n\nfunc Open(path string, mode int) {}\n\nfunc Close() {}\n',
    };
    expect(await found(before, after, 'changed_signature')).toEqual([
      'changed_signature app/rates.py:1 convert is still called with its old parameters',
      'changed_signature pkg/store/store.go:3 Open is still called with its old parameters',
      'changed_signature src/mail.ts:1 send is still called with its old parameters',
      'changed_signature src/mail.ts:2 pack is still called with its old parameters',
    ]);
  });

  it('leaves alone optional parameters, mended calls, other functions, overloads, decorators and unclear calls', async () => {
    const after = {
      // Optional now, with a call that fits both.
      'src/mail.ts':
        'export function send(to: string, text?: string, from?: string) {}\nexport function pack(a: string): string;\nexport function pack(a: string, b?: string) { return a; }\n',
      'app/rates.py':
        '@cached\ndef convert(amount, rate):\n    return amount\n\n\ndef load(path, mode):\n    pass\n',
      'app/other.py': 'from app.files import load\n\nload("x")\nself.load("y")\n',
      'pkg/store/store.go':
        'package store\n\nfunc Open(path string, mode int) {}\n\nfunc Close(now bool) {}\n',
      'pkg/store/use.go': 'package store\n\nfunc all() {\n\tClose(both())\n\tx.Close()\n}\n',
      'main.go':
        'package main\n\nimport "example.com/shop/pkg/store"\n\nfunc main() {\n\tstore.Open("a", 1)\n}\n',
    };
    expect(await found(before, after, 'changed_signature')).toEqual([]);
  });
});
