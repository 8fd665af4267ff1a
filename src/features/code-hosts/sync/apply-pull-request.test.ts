/** A head is compared with the previous base while the commits of its base are not in our copy yet. */
import { expect, it } from 'vitest';
import { baseOf } from './apply-pull-request.ts';

const known = { base_branch: 'main', base_commit: 'b1', merge_base: 'm1' };
const on = (branch: string, commit: string | null) => ({ base: { branch, commit } });

it.each([
  ['a base that moved', on('main', 'b2'), 'm2', { baseCommit: 'b2', mergeBase: 'm2' }],
  [
    'a base that moved to a commit that is not here yet',
    on('main', 'b2'),
    null,
    { baseCommit: 'b1', mergeBase: 'm1' },
  ],
  ['another base', on('next', 'b3'), 'm3', { baseCommit: 'b3', mergeBase: 'm3' }],
  [
    'another base whose commit is not here yet',
    on('next', 'b3'),
    null,
    { baseCommit: 'b3', mergeBase: null },
  ],
])('keeps base and merge base a pair: %s', (_, theirs, mergeBase, expected) => {
  expect(baseOf(known, theirs, { mergeBase })).toEqual(expected);
});

it('records the base when no merge base is known at all', () => {
  expect(baseOf({ ...known, merge_base: null }, on('main', 'b2'), { mergeBase: null })).toEqual({
    baseCommit: 'b2',
    mergeBase: null,
  });
});
