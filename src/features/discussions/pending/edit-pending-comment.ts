/** PATCH /api/v2/pull-requests/:pullRequestId/pending-comments/:commentId: changes the text of a pending comment. */
import { defineOperation } from '../../../context.ts';
import { maskText } from '../../../engines/review/index.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { findPullRequest, withPullRequest } from '../../pull-requests/index.ts';
import { announcePending } from './announce-pending.ts';
import { EditPendingCommentInput, PendingComment } from './pending-contract.ts';
import { selectPendingComments, updatePendingComment } from './pending-store.ts';
import { findPlaces, pendingReviewOf, presentPendingComment } from './read-pending.ts';

export const editPendingComment = defineOperation({
  name: 'edit-pending-comment',
  group: 'Reviews',
  summary: 'Edit a comment of your pending review',
  http: {
    method: 'PATCH',
    path: '/api/v2/pull-requests/:pullRequestId/pending-comments/:commentId',
    status: 200,
  },
  accepts: ['session'],
  role: 'member',
  input: EditPendingCommentInput,
  output: PendingComment,
  problems: ['not_found'],
  async run(context, { body: sent, commentId, pullRequestId }) {
    const body = await maskText(sent);
    const seen = await findPullRequest(context, pullRequestId);
    const review = pendingReviewOf(context, seen.id);
    const row = await withPullRequest(context, seen.id, async ({ at, db }) => {
      if (!(await updatePendingComment(db, review, { id: commentId, body, at })))
        throw notFound('The pending comment');
      const [edited] = await selectPendingComments(db, review, { ids: [commentId] });
      return edited!;
    });
    announcePending(context, seen.id);
    const places = await findPlaces(context, seen, [row]);
    return presentPendingComment(row, places.get(row.id), seen.head_commit);
  },
});
