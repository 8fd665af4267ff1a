/** Which merge rule applies to a base branch. */
import { expect, it } from 'vitest';
import { bySpecificity, chooseRule, matchesBranch } from './choose-rule.ts';

it.each([
  ['main', 'main', true],
  ['main', 'feature/main', false],
  ['main', 'mainline', false],
  ['release/*', 'release/1.2', true],
  ['release/*', 'release/1/2', false],
  ['release/*', 'old/release/1', false],
  ['release/**', 'release/1/2', true],
  ['*', 'main', true],
  ['*', 'a/b', false],
  ['**', 'a/b', true],
  ['v*-stable', 'v2-stable', true],
  ['{main,dev}', 'main', false],
  ['{main,dev}*', '{main,dev}2', true],
  ['!main*', '!main', true],
  ['Main', 'main', false],
])('%s and %s: %s', (pattern, branch, matches) => {
  expect(matchesBranch(pattern, branch)).toBe(matches);
});

it('takes rules of the repository first, then names, then what says more of the name', () => {
  const inOrder = [
    ...[
      { repositoryId: 'api', pattern: 'release/1' },
      { repositoryId: 'api', pattern: 'release/*' },
    ],
    ...[
      { repositoryId: 'api', pattern: 'release/**' },
      { repositoryId: 'api', pattern: 're*/*' },
    ],
    ...[
      { repositoryId: 'api', pattern: '**' },
      { repositoryId: null, pattern: 'release/1' },
    ],
    ...[
      { repositoryId: null, pattern: '*/1' },
      { repositoryId: null, pattern: '*' },
    ],
  ];
  expect([...inOrder].reverse().sort(bySpecificity)).toEqual(inOrder);
  for (let from = 0; from < inOrder.length - 1; from += 1)
    expect(chooseRule(inOrder.slice(from).reverse(), 'release/1')).toBe(inOrder[from]);
  expect(chooseRule(inOrder.slice(0, 4), 'main')).toBeUndefined();
});
