/** Which findings on one change count as one. */
import { expect, it } from 'vitest';
import { type ComparedFinding, isSameFinding } from './same-finding.ts';

const finding = (changes: Partial<ComparedFinding>): ComparedFinding => ({
  ...{ key: JSON.stringify(changes), check: 'reported', claim: 'other', subject: JSON.stringify(changes) },
  ...{
    file: 'src/a.ts',
    side: 'head',
    line: 3,
    title: 'Division by zero',
    scenario: 'The result is infinite.',
  },
  ...changes,
});
const rule = (check: string, message: string) =>
  finding({
    ...{ claim: 'rule', check, title: message },
    scenario: `ESLint reports that the rule ${check} is broken here: ${message}`,
  });

it.each([
  [
    'in other words',
    finding({}),
    finding({ title: 'It divides by zero', scenario: 'An infinite result.' }),
    true,
  ],
  ['on another line', finding({}), finding({ line: 4 }), false],
  ['in another file', finding({}), finding({ file: 'src/b.ts' }), false],
  [
    'about something else',
    finding({}),
    finding({ title: 'Typo', scenario: 'Users read a misspelt word.' }),
    false,
  ],
  ['with a claim', finding({}), finding({ claim: 'contract' }), true],
  ['with two claims', finding({ claim: 'secret' }), finding({ claim: 'contract' }), false],
  ['of one rule', rule('no-undef', '`a` is not defined.'), rule('no-undef', '`a` isn’t defined.'), true],
  [
    'of two rules',
    rule('no-console', 'Unexpected console statement.'),
    rule('no-undef', '`a` is not defined.'),
    false,
  ],
])('%s', (_, one, other, expected) => {
  expect([isSameFinding(one, other), isSameFinding(other, one)]).toEqual([expected, expected]);
});
