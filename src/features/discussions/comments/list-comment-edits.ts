/** GET /api/v2/pull-requests/:pullRequestId/comments/:commentId/edits: what a comment said before, to everyone who can read it. */
import { defineOperation } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { findPullRequest, selectCommentEdits, selectCommentOf } from '../../pull-requests/index.ts';
import { CommentEdits, ListCommentEditsInput } from '../contract.ts';

export const listCommentEdits = defineOperation({
  name: 'list-comment-edits',
  group: 'Reviews',
  summary: 'List the earlier texts of a comment',
  http: {
    method: 'GET',
    path: '/api/v2/pull-requests/:pullRequestId/comments/:commentId/edits',
    status: 200,
  },
  accepts: ['session'],
  role: 'viewer',
  input: ListCommentEditsInput,
  output: CommentEdits,
  problems: ['not_found'],
  async run(context, { commentId, pullRequestId }) {
    const { id } = await findPullRequest(context, pullRequestId);
    if (!(await selectCommentOf(context.db, id, commentId))) throw notFound('The comment');
    const rows = await selectCommentEdits(context.db, commentId);
    return {
      edits: rows.map(({ body, replaced_at: replacedAt, written_at: writtenAt }) => ({
        body,
        writtenAt: writtenAt.toISOString(),
        replacedAt: replacedAt.toISOString(),
      })),
      notKept: (rows.at(-1)?.position ?? -1) + 1 - rows.length,
    };
  },
});
