/** PUT /api/v2/pull-requests/:pullRequestId/comments/:commentId/reactions: a member reacts with an emoji, or takes it back. Nobody is notified. */
import { defineOperation } from '../../../context.ts';
import { notFound, Problem } from '../../../platform/core/errors/errors.ts';
import {
  deleteReaction,
  insertReaction,
  presentReactions,
  reactionsTopic,
  selectCommentOf,
  selectReactions,
  takesReactions,
  withPullRequest,
} from '../../pull-requests/index.ts';
import { CommentReactions, ReactToCommentInput } from '../contract.ts';

export const reactToComment = defineOperation({
  name: 'react-to-comment',
  group: 'Reviews',
  summary: 'React to a comment',
  description:
    'Sets or removes one of your reactions to a comment of a discussion or of the conversation; repeating it changes nothing. Nobody is notified. Comments that were written on a code host take reactions there.',
  http: {
    method: 'PUT',
    path: '/api/v2/pull-requests/:pullRequestId/comments/:commentId/reactions',
    status: 200,
  },
  accepts: ['session'],
  role: 'member',
  input: ReactToCommentInput,
  output: CommentReactions,
  problems: ['not_found', 'conflict'],
  async run(context, { commentId, isOn, pullRequestId, reaction }) {
    const { actor } = context;
    // Under the lock of the pull request, so that the comment isn't deleted meanwhile.
    const reactions = await withPullRequest(context, pullRequestId, async ({ at, db }) => {
      const comment = await selectCommentOf(db, pullRequestId, commentId);
      if (!comment) throw notFound('The comment');
      if (!takesReactions(comment))
        throw new Problem('conflict', 'This comment was written on the code host. React to it there.');
      if (isOn) await insertReaction(db, actor, { commentId, reaction, at });
      else await deleteReaction(db, actor, { commentId, reaction });
      const rows = await selectReactions(db, actor, [commentId]);
      return presentReactions(comment, rows.get(commentId));
    });
    context.afterCommit(() => context.feed.announce(reactionsTopic(pullRequestId)));
    return { reactions };
  },
});
