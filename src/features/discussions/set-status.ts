/** Applies a trigger to a discussion's status under the pull request's lock, and records the change. */
import type { PullRequestChange } from '../pull-requests/index.ts';
import { decideStatus, type StatusTrigger } from './discussion-status.ts';
import { type DiscussionRow, type StatusWrite, updateStatus } from './discussion-store.ts';

/** Who or what changes it; all null for the service. */
type By = Pick<StatusWrite, 'userId' | 'accountId' | 'name' | 'reason'> & {
  /** Whether the change was read from the code host. */
  fromHost?: boolean;
  /** The commit that answered it or reverted the change. */
  commit?: string;
};

/** Returns whether the status changed. `discussion` is updated in place, so that triggers can follow each other. */
export async function setStatus(
  change: PullRequestChange,
  discussion: Pick<DiscussionRow, 'id' | 'status' | 'status_cause' | 'host_thread_id'>,
  trigger: StatusTrigger,
  { commit, fromHost = false, ...by }: By,
): Promise<boolean> {
  const from = discussion.status;
  const next = decideStatus({ status: from, cause: discussion.status_cause }, trigger);
  if (!next) return false;
  const { pullRequest } = change;
  // The host knows two states: what we call addressed is unresolved there.
  const crossesHost = (from === 'resolved') !== (next.status === 'resolved');
  await updateStatus(change.db, discussion.id, {
    ...next,
    ...by,
    at: change.at,
    ...(trigger === 'reopen' && { judgedFrom: pullRequest.head_count }),
    ...(pullRequest.origin === 'host' && crossesHost && !fromHost && { sending: 'waiting' }),
  });
  const opened = Number(next.status === 'open') - Number(from === 'open');
  if (opened !== 0) change.set({ open_discussion_count: pullRequest.open_discussion_count + opened });
  const isLastResolved =
    from === 'open' && trigger === 'resolve' && change.pullRequest.open_discussion_count === 0;
  if (isLastResolved && pullRequest.review_trigger === null) change.wantReview('resolved');
  change.record('discussion_status_changed', {
    discussionId: discussion.id,
    from,
    to: next.status,
    cause: next.cause,
    reason: by.reason,
    ...(commit && { commit }),
  });
  discussion.status = next.status;
  discussion.status_cause = next.cause;
  return true;
}
