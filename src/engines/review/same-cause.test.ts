/** Findings on one change that have the same cause count as one. */
import { expect, it } from 'vitest';
import type { Producer } from './contract/code-review.ts';
import { type ComparedFinding, isSameCause, isSameFinding } from './same-cause.ts';

const producer: Producer = {
  ...{ userId: 'a', userName: 'Ada', vendor: null, model: null, sessionId: null },
  kind: 'agent',
};
const finding = (changes: Partial<ComparedFinding> = {}): ComparedFinding => ({
  ...{ reviewer: 'logic_errors', check: changes.claim ?? 'other', claim: 'other', subject: 'average' },
  ...{ file: 'src/a.ts', side: 'head', line: 3, quote: 'return sum / count;', proof: 'unverified', producer },
  ...{ title: 'Division by zero', scenario: 'The result is infinite when there are no items.' },
  ...changes,
});
const rule = (check: string, subject: string, changes: Partial<ComparedFinding> = {}) =>
  finding({
    claim: 'rule',
    check,
    subject,
    title: subject,
    producer: { ...producer, kind: 'tool' },
    ...changes,
  });
const reordered = { title: 'Zero', scenario: 'When there are no items, the result is infinite' };
const sharedWords = { scenario: 'The result is unused when there are no items.' };
const otherText = { title: 'Rounds down', scenario: 'Amounts lose their last cent.' };

it.each<[string, ComparedFinding, ComparedFinding, boolean, boolean?]>([
  ['in the same words', finding(), finding(reordered), true],
  ['in words of which most are the same', finding(), finding(sharedWords), false],
  [
    'about more lines',
    finding(),
    finding({ line: 2, quote: 'const sum = total();\nreturn sum / count;' }),
    true,
  ],
  ['on another line', finding(), finding({ line: 4 }), false, true],
  ['in another file', finding(), finding({ file: 'src/b.ts' }), false, true],
  ['about something else on the same line', finding(), finding(otherText), false],
  ['about another subject, in the same words', finding(), finding({ subject: 'count' }), false],
  ['with a claim, in the same words', finding(), finding({ claim: 'unused' }), false],
  ['with two claims, in the same words', finding({ claim: 'secret' }), finding({ claim: 'contract' }), false],
  [
    'with one claim and subject',
    finding({ claim: 'unused' }),
    finding({ claim: 'unused', ...otherText }),
    true,
  ],
  [
    'of one rule',
    rule('no-undef', '`a` is not defined.'),
    rule('no-undef', '`a` is not defined.', otherText),
    true,
  ],
  ['of two rules', rule('no-console', 'Unexpected.'), rule('no-undef', 'Unexpected.'), false],
  [
    'of one rule of two reviewers',
    rule('no-eval', 'eval'),
    rule('no-eval', 'eval', { reviewer: 'custom:1' }),
    false,
  ],
  [
    'under a name that an agent chose',
    rule('bug', 'a', { producer }),
    rule('bug', 'a', { producer, ...otherText }),
    false,
  ],
])('%s', (_, one, other, isSame, isCause = isSame) => {
  expect([isSameFinding(one, other), isSameFinding(other, one)]).toEqual([isSame, isSame]);
  expect([isSameCause(one, other), isSameCause(other, one)]).toEqual([isCause, isCause]);
});
