/** Records whether the code answers a discussion, and changes its status if it does. */
import type { z } from 'zod';
import { isSettingOn } from '../organization-settings/index.ts';
import type { PullRequestChange } from '../pull-requests/index.ts';
import type { Judgement as JudgementShape } from './contract.ts';
import type { DiscussionRow } from './discussion-store.ts';
import { updateJudgements } from './judgement-store.ts';
import { setStatus } from './set-status.ts';

export type Judgement = z.input<typeof JudgementShape>;

const SERVICE = { userId: null, accountId: null, name: null };

/** Only `addressed` changes the status; `maybe` is for a person to confirm. */
export async function recordJudgement(
  change: PullRequestChange,
  discussion: Pick<DiscussionRow, 'id' | 'status' | 'status_cause' | 'host_thread_id'>,
  judgement: Judgement,
): Promise<void> {
  await updateJudgements(change.db, [{ discussionId: discussion.id, judgement }]);
  if (judgement.verdict !== 'addressed') return;
  const { commit, reason } = judgement;
  const isAddressed = await setStatus(change, discussion, 'judged_addressed', { ...SERVICE, reason, commit });
  if (!isAddressed) return;
  if (await isSettingOn(change.db, change.pullRequest.organization_id, 'auto_resolve_addressed')) {
    await setStatus(change, discussion, 'auto_resolve', { ...SERVICE, reason, commit });
  }
}

/** The comment was edited after the code had answered it, and the code does not answer the new text. */
export async function recordOtherQuestion(
  change: PullRequestChange,
  discussion: Pick<DiscussionRow, 'id' | 'status' | 'status_cause' | 'host_thread_id'>,
  judgement: Judgement,
): Promise<void> {
  await updateJudgements(change.db, [{ discussionId: discussion.id, judgement }]);
  if (judgement.verdict === 'addressed') return;
  const reason = 'A comment was edited or deleted, and the code doesn’t address the discussion as it is now.';
  await setStatus(change, discussion, 'revert', { ...SERVICE, reason, commit: judgement.commit });
}

/** A later head undid the change that answered it. */
export async function recordRevert(
  change: PullRequestChange,
  discussion: Pick<DiscussionRow, 'id' | 'status' | 'status_cause' | 'host_thread_id'>,
  judgement: Judgement,
): Promise<void> {
  await updateJudgements(change.db, [{ discussionId: discussion.id, judgement }]);
  const reason = 'The commented code is back as it was.';
  await setStatus(change, discussion, 'revert', { ...SERVICE, reason, commit: judgement.commit });
}
