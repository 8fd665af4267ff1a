/** PATCH /api/v2/pull-requests/:pullRequestId/comments/:commentId: the author edits a comment on no particular file. */
import { defineOperation } from '../../../context.ts';
import { maskText } from '../../../engines/review/index.ts';
import { notFound, Problem } from '../../../platform/core/errors/errors.ts';
import { EditCommentInput, PullRequest } from '../contract.ts';
import { keepCommentText, selectCommentOf, updateComment } from '../store/comment-store.ts';
import { refuseOtherText } from './refuse-other-text.ts';
import { sendingOf } from './sending.ts';
import { changeAndReadPullRequest } from './with-pull-request.ts';

export const editComment = defineOperation({
  name: 'edit-comment',
  group: 'Pull requests',
  summary: 'Edit your comment on a pull request',
  description: 'Comments of discussions are edited with `edit-discussion-comment`.',
  http: {
    method: 'PATCH',
    path: '/api/v2/pull-requests/:pullRequestId/comments/:commentId',
    status: 200,
  },
  accepts: ['session'],
  role: 'member',
  input: EditCommentInput,
  output: PullRequest,
  problems: ['forbidden', 'not_found', 'conflict'],
  async run(context, { body: sent, commentId, expectedBody, pullRequestId }) {
    const body = await maskText(sent);
    return changeAndReadPullRequest(context, pullRequestId, async (change) => {
      const { at, db, pullRequest } = change;
      const comment = await selectCommentOf(db, pullRequestId, commentId);
      if (!comment || comment.discussion_id !== null) throw notFound('The comment');
      if (comment.author_user_id !== context.actor.userId)
        throw new Problem('forbidden', 'Only the author can edit a comment.');
      if (pullRequest.origin === 'host' && comment.sending === 'none')
        throw new Problem('conflict', 'This comment was written on the code host. Edit it there.');
      refuseOtherText(comment.body, expectedBody);
      if (comment.body === body) return;
      await keepCommentText(db, commentId, at);
      await updateComment(db, commentId, { body, edited_at: at, sending: sendingOf(pullRequest) });
      change.record('discussion_edited', { commentId });
    });
  },
});
