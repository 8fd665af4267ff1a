/** PATCH /api/v2/discussions/:discussionId/comments/:commentId: the author edits a comment. */
import { defineOperation } from '../../context.ts';
import { maskText } from '../../engines/review/index.ts';
import { notFound, Problem } from '../../platform/core/errors/errors.ts';
import { keepCommentText, refuseOtherText, updateComment, withPullRequest } from '../pull-requests/index.ts';
import { Discussion, EditDiscussionCommentInput } from './contract.ts';
import { selectComment } from './discussion-store.ts';
import { findDiscussion } from './find-discussion.ts';
import { judgeAgain } from './judge-again.ts';
import { pullRequestOf, readDiscussions } from './read-discussions.ts';

export const editDiscussionComment = defineOperation({
  name: 'edit-discussion-comment',
  group: 'Reviews',
  summary: 'Edit your comment in a discussion',
  http: { method: 'PATCH', path: '/api/v2/discussions/:discussionId/comments/:commentId', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: EditDiscussionCommentInput,
  output: Discussion,
  problems: ['forbidden', 'not_found', 'conflict'],
  async run(context, { body: sent, commentId, discussionId, expectedBody }) {
    const { actor } = context;
    const body = await maskText(sent);
    return withPullRequest(context, await pullRequestOf(context, discussionId), async (change) => {
      const { db, pullRequest } = change;
      await findDiscussion(change, discussionId);
      const comment = await selectComment(db, discussionId, commentId);
      if (!comment) throw notFound('The comment');
      if (comment.author_user_id !== actor.userId) {
        throw new Problem('forbidden', 'Only the author can edit a comment.');
      }
      if (pullRequest.origin === 'host' && comment.sending === 'none') {
        throw new Problem('conflict', 'This comment was written on the code host. Edit it there.');
      }
      refuseOtherText(comment.body, expectedBody);
      if (comment.body !== body) {
        const sending = pullRequest.origin === 'host' ? 'waiting' : 'none';
        await keepCommentText(db, commentId, change.at);
        await updateComment(db, commentId, { body, edited_at: change.at, sending });
        await judgeAgain(change, discussionId);
        change.record('discussion_edited', { discussionId, commentId });
      }
      const [read] = await readDiscussions({ actor, db }, pullRequest, { discussionId });
      return read!;
    });
  },
});
