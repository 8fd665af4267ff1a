/** The actions a user can take on a pull request now, so that the page offers only those. Pure. */
import { type Actor, hasRole } from '../../../platform/core/operations/actor.ts';
import type { PULL_REQUEST_ACTIONS, PullRequestState } from '../contract.ts';

export type PullRequestAction = (typeof PULL_REQUEST_ACTIONS)[number];

/** Pull requests of a code host are edited, closed and merged there, and reviews are dismissed there. */
export function actionsOn(
  pullRequest: { origin: 'git' | 'host'; state: PullRequestState },
  actor: Pick<Actor, 'role'>,
): PullRequestAction[] {
  if (!hasRole(actor.role, 'member')) return [];
  const { origin, state } = pullRequest;
  const active = state === 'open' || state === 'draft';
  return [
    'comment',
    ...(active ? (['review', 'request_review'] as const) : []),
    ...(origin === 'git' && active && hasRole(actor.role, 'admin') ? (['dismiss_review'] as const) : []),
    ...(origin === 'git' ? (['edit'] as const) : []),
    ...(origin === 'git' && active ? (['close', 'merge'] as const) : []),
    ...(origin === 'git' && state === 'closed' ? (['reopen'] as const) : []),
    ...(origin === 'git' && state === 'merged' ? (['revert'] as const) : []),
  ];
}
