/** GET /api/v2/plans/:seriesId/comments (endpoint 9): all comments, oldest first, streamed. */

import { defineOperation } from '../../../context.ts';
import type { Db } from '../../../platform/db/index.ts';
import { EXAMPLE_COMMENT, EXAMPLE_IDS } from '../contract/examples.ts';
import { ListPlanCommentsInput, PlanComments } from '../contract.ts';
import { findPlan } from '../reading/read-plan.ts';
import { selectComments, selectMutedThreads } from '../store/comment-store.ts';
import { presentComment } from './present-comment.ts';

/** A few megabytes if all comments have the maximum length. */
const BATCH = 50;

export const listPlanComments = defineOperation({
  name: 'list-plan-comments',
  group: 'Plans',
  summary: 'List the comments on a plan',
  http: { method: 'GET', path: '/api/v2/plans/:seriesId/comments', status: 200 },
  accepts: ['key', 'session', 'oauth'],
  role: 'viewer',
  input: ListPlanCommentsInput,
  output: PlanComments,
  problems: ['not_found'],
  example: {
    request: { seriesId: EXAMPLE_IDS.series },
    reply: { comments: [EXAMPLE_COMMENT], mutedThreadIds: [] },
  },
  async run(context, { seriesId }) {
    const { actor, db } = context;
    const plan = await findPlan(context, seriesId);
    return {
      // Batches rather than a list: see `streamedArray`.
      comments: commentsInBatches(db, plan.id) as never,
      mutedThreadIds: await selectMutedThreads(db, plan.id, actor.userId),
    };
  },
});

async function* commentsInBatches(db: Db, planId: string) {
  let after: { at: Date; id: string } | undefined;
  for (;;) {
    const rows = await selectComments(db, planId, { after, limit: BATCH });
    if (rows.length > 0) yield rows.map(presentComment);
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = { at: last.created_at, id: last.id };
  }
}
