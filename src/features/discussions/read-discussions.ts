/** Reads discussions with their comments, as the caller sees them. */
import type { Context } from '../../context.ts';
import { notFound } from '../../platform/core/errors.ts';
import { selectComments, selectDiscussions, selectPullRequestOf } from './discussion-store.ts';
import { presentDiscussion } from './present-discussion.ts';

/** Presents discussions with their comments in two queries. */
export async function readDiscussions(
  { actor, db }: Pick<Context, 'actor' | 'db'>,
  pullRequest: { id: string; head_commit: string | null },
  only: Parameters<typeof selectDiscussions>[2] = {},
) {
  const rows = await selectDiscussions(db, pullRequest, only);
  const comments = await selectComments(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => presentDiscussion(row, comments.get(row.id) ?? [], actor));
}

/** The pull request of a discussion; whether the caller may see it is decided when that is read. */
export async function pullRequestOf(
  { actor, db }: Pick<Context, 'actor' | 'db'>,
  discussionId: string,
): Promise<string> {
  const pullRequestId = await selectPullRequestOf(db, actor.organizationId, discussionId);
  if (pullRequestId === undefined) throw notFound('The discussion');
  return pullRequestId;
}
