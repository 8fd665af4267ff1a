/** Reads discussions with their comments, as the caller sees them. */
import type { Context } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { selectAppliedSuggestions, selectDeletedComments, selectReactions } from '../pull-requests/index.ts';
import { selectComments, selectDiscussions, selectPullRequestOf } from './discussion-store.ts';
import { findOwnSecrets } from './own-secrets.ts';
import { presentDiscussion } from './present-discussion.ts';

/** Presents discussions with their comments in five queries; for people, up to two more say what they can do. */
export async function readDiscussions(
  { actor, db }: Pick<Context, 'actor' | 'db'>,
  pullRequest: { id: string; head_commit: string | null },
  only: Parameters<typeof selectDiscussions>[2] = {},
) {
  const rows = await selectDiscussions(db, pullRequest, only);
  const ids = rows.map(({ id }) => id);
  const comments = await selectComments(db, ids);
  const place = { discussionIds: ids, pullRequestId: pullRequest.id, userId: actor.userId };
  const ownSecrets = actor.kind === 'session' ? await findOwnSecrets(db, place) : new Set<string>();
  const applied = rows.length > 0 ? await selectAppliedSuggestions(db, pullRequest.id) : [];
  const byComment = Map.groupBy(applied, ({ comment_id }) => comment_id);
  const deleted = rows.length > 0 ? await selectDeletedComments(db, pullRequest.id) : [];
  const byDiscussion = Map.groupBy(deleted, ({ discussion_id }) => discussion_id ?? '');
  const commentIds = [...comments.values()].flat().map((comment) => comment.id);
  const reactions = await selectReactions(db, actor, commentIds);
  const reader = { actor, ownSecrets, applied: byComment, reactions, deleted: byDiscussion };
  return rows.map((row) => presentDiscussion(row, comments.get(row.id) ?? [], reader));
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
