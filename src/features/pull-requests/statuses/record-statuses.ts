/** Records that statuses of a pull request's newest head changed, so that its page shows them at once. */
import type { NewStatus, StatusRow } from '../../statuses/index.ts';
import type { PullRequestChange } from '../changes/pull-request-change.ts';

const MAX_NAMED = 20;

export function isSameStatus(before: StatusRow, status: NewStatus): boolean {
  return (
    before.state === status.state &&
    before.description === status.description &&
    before.url === status.url &&
    before.set_with === status.setWith &&
    before.user_id === status.userId &&
    before.key_name === status.keyName &&
    before.account_login === status.accountLogin
  );
}

/** `removed`: how many are gone. Nothing if another head was pushed meanwhile. Lists keep their order: a status is no activity of people. */
export function recordStatuses(
  change: PullRequestChange,
  commit: string,
  changed: readonly Pick<NewStatus, 'name' | 'state'>[],
  removed = 0,
): void {
  const { pullRequest } = change;
  if (pullRequest.head_commit !== commit || changed.length + removed === 0) return;
  change.record('pull_request_statuses_changed', {
    headCommit: commit,
    statuses: changed.slice(0, MAX_NAMED).map(({ name, state }) => ({ name, state })),
    total: changed.length,
    ...(removed > 0 && { removed }),
  });
  change.set({ updated_at: pullRequest.updated_at });
}
