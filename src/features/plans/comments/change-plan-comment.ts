/** PATCH /api/v2/plans/:seriesId/comments/:commentId (endpoint 11): the author edits the text, any member triages. */
import { defineOperation } from '../../../context.ts';
import { maskText } from '../../../engines/review/index.ts';
import { notFound, Problem } from '../../../platform/core/errors/errors.ts';
import { changePlan } from '../changes/change-plan.ts';
import { EXAMPLE_COMMENT, EXAMPLE_IDS } from '../contract/examples.ts';
import { ChangePlanCommentInput, PlanComment } from '../contract.ts';
import { selectComment, updateComment } from '../store/comment-store.ts';
import { presentComment } from './present-comment.ts';

export const changePlanComment = defineOperation({
  name: 'change-plan-comment',
  group: 'Plans',
  summary: 'Edit or triage a comment',
  description:
    'Only the author can change the text. Any member can set `triageState`: `open` to accept the comment, `dismissed` to dismiss it, null to clear it.',
  http: { method: 'PATCH', path: '/api/v2/plans/:seriesId/comments/:commentId', status: 200 },
  accepts: ['key', 'session', 'oauth', 'mcp'],
  role: 'member',
  input: ChangePlanCommentInput,
  output: PlanComment,
  problems: ['forbidden', 'not_found'],
  example: {
    request: { seriesId: EXAMPLE_IDS.series, commentId: EXAMPLE_IDS.comment, triageState: 'open' },
    reply: { ...EXAMPLE_COMMENT, triageState: 'open' },
  },
  async run(context, { body: sent, commentId, seriesId, triageState }) {
    const body = sent === undefined ? undefined : await maskText(sent);
    return changePlan(context, seriesId, async (change) => {
      const { at, db, plan } = change;
      const comment = await selectComment(db, plan.id, commentId);
      if (!comment) throw notFound('The comment');
      if (body !== undefined && comment.author_id !== context.actor.userId) {
        throw new Problem('forbidden', 'Only the author of a comment can edit its text.');
      }
      const about = { commentId, threadId: comment.thread_id };
      const edited = body !== undefined && body !== comment.body;
      const triaged = triageState !== undefined && triageState !== comment.triage_state;
      if (edited) change.record('comment_edited', about);
      if (triaged)
        change.record('comment_triaged', { ...about, from: comment.triage_state, to: triageState });
      const set = { ...(edited && { body, edited_at: at }), ...(triaged && { triage_state: triageState }) };
      if (edited || triaged) await updateComment(db, plan.id, commentId, set);
      return presentComment({ ...comment, ...set });
    });
  },
});
