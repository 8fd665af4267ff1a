/** Has a discussion judged again on the newest head, because what it asks for was edited or deleted. */
import type { PullRequestChange } from '../pull-requests/index.ts';
import { touchDiscussion } from './discussion-store.ts';
import { clearJudgement } from './judgement-store.ts';

export async function judgeAgain(change: PullRequestChange, discussionId: string): Promise<void> {
  await clearJudgement(change.db, discussionId);
  // A judgement of the old text that is still running is not recorded.
  await touchDiscussion(change.db, discussionId, change.at);
  change.set({ judged_head: null, judge_queued_head: null });
}
