/** GET /api/v2/plans: the organization's plans, most recently updated first. */
import { defineOperation } from '../../../context.ts';
import { wordQuery } from '../../../engines/plan-text/index.ts';
import type { Actor } from '../../../platform/core/operations/actor.ts';
import {
  cutPage,
  DEFAULT_LIMIT,
  readTimeCursor,
  timeCursorOf,
} from '../../../platform/core/operations/page.ts';
import type { Db } from '../../../platform/db/index.ts';
import { ListPlansInput, PlanPage } from '../contract.ts';
import { type PlanFilter, selectNewestWithWords, selectPlans } from '../store/plan-list-store.ts';
import { presentPlanSummaries } from './present-plan-summary.ts';

export const listPlans = defineOperation({
  name: 'list-plans',
  group: 'Plans',
  summary: 'List plans',
  http: { method: 'GET', path: '/api/v2/plans', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: ListPlansInput,
  output: PlanPage,
  problems: [],
  async run({ actor, db }, input) {
    const limit = input.limit ?? DEFAULT_LIMIT;
    const before = readTimeCursor(input.cursor);
    const words = input.search === undefined ? undefined : wordQuery(input.search);
    // A search without any words matches nothing; dropping the filter would match everything.
    if (input.search?.trim() && words === undefined) return { plans: [], nextCursor: null };
    const filter = {
      status: input.status,
      review: input.review,
      repository: input.repository,
      authorId: input.authorId,
      agentVendor: input.agentVendor,
      before,
      limit: limit + 1,
    };
    const rows = await findPlans(db, actor, filter, words);
    const { nextCursor, page } = cutPage(rows, limit, (row) => timeCursorOf(row.updated_at, row.id));
    return { plans: await presentPlanSummaries(db, actor, page), nextCursor };
  },
});

/** Tries the newest plans first: common words are found there, and a rare word is quickly found among all plans. */
async function findPlans(db: Db, actor: Actor, filter: PlanFilter, words: string | undefined) {
  if (words === undefined) return selectPlans(db, actor, filter);
  const newest = await selectNewestWithWords(db, actor, { ...filter, words }, filter.limit * 5);
  return newest.length === filter.limit ? newest : selectPlans(db, actor, { ...filter, words });
}
