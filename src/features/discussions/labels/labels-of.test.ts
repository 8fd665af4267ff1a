/** The labels that status changes of a discussion make. */
import { expect, it } from 'vitest';
import { labelsOf, type StatusChange } from './labels-of.ts';

const at = new Date('2026-01-02T03:04:05Z');
const judged: StatusChange = { to: 'addressed', cause: 'judge', commit: 'c1', at };
const again: StatusChange = { to: 'addressed', cause: 'judge', commit: 'c2', at };
const autoResolved: StatusChange = { to: 'resolved', cause: 'switch', commit: 'c1', at };
const reverted: StatusChange = { to: 'open', cause: 'reverted', commit: 'c2', at };
const resolved: StatusChange = { to: 'resolved', cause: 'person', commit: null, at };
const reopened: StatusChange = { to: 'open', cause: 'person', commit: null, at };
const dismissed: StatusChange = { to: 'resolved', cause: 'dismissed', commit: null, at };
const proved: StatusChange = { to: 'addressed', cause: 'proof', commit: null, at };

it.each<[string, StatusChange[], string[]]>([
  ['nothing, when no person had a word', [judged, autoResolved], []],
  ['a confirmed judgement', [judged, resolved], ['addressed confirmed c1']],
  ['a reopened judgement', [judged, reopened], ['not_addressed reopened c1']],
  ['one that a setting resolved before', [judged, autoResolved, reopened], ['not_addressed reopened c1']],
  ['a person who changes their mind', [judged, reopened, resolved], ['addressed confirmed c1']],
  [
    'two judgements',
    [judged, reopened, again, resolved],
    ['not_addressed reopened c1', 'addressed confirmed c2'],
  ],
  ['what was resolved without a judgement', [resolved], ['addressed overridden null']],
  ['what was reopened again', [resolved, reopened], []],
  ['a judgement that was reverted', [judged, reverted, resolved], ['addressed overridden null']],
  ['a dismissal, which says nothing about the code', [judged, dismissed], []],
  ['a proof that no longer holds, which was not judged', [proved, resolved], ['addressed overridden null']],
])('%s', (_, changes, expected) => {
  expect(labelsOf(changes).map(({ commit, how, label }) => `${label} ${how} ${commit}`)).toEqual(expected);
});
