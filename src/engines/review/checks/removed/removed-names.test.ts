/** Names that a change removes, as the facts of other repositories write them. */
import { describe, expect, it } from 'vitest';
import { reviewChange } from '../../../../../test/helpers/git/review-change.ts';

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
