/** Finds a discussion of a locked pull request. */
import { notFound } from '../../platform/core/errors/errors.ts';
import type { PullRequestChange } from '../pull-requests/index.ts';
import { type DiscussionRow, selectDiscussions } from './discussion-store.ts';

export async function findDiscussion(
  { db, pullRequest }: PullRequestChange,
  discussionId: string,
): Promise<DiscussionRow> {
  const [row] = await selectDiscussions(db, pullRequest, { discussionId });
  if (!row) throw notFound('The discussion');
  return row;
}
