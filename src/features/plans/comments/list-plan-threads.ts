/** GET /api/v2/plans/:seriesId/threads: comments with the position of their quotes in one version. */
import { callOf, defineOperation } from '../../../context.ts';
import type { PlacedQuote } from '../../../engines/plan-text/index.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import {
  cutPage,
  DEFAULT_LIMIT,
  readTimeCursor,
  timeCursorOf,
} from '../../../platform/core/operations/page.ts';
import { ListPlanThreadsInput, PlanThreads } from '../contract.ts';
import { findPlan } from '../reading/read-plan.ts';
import { type ListedCommentRow, selectComments, selectMutedThreads } from '../store/comment-store.ts';
import { selectVersion } from '../store/plan-store.ts';
import { type AnchoredComment, placeComments } from './place-comments.ts';
import { presentComment } from './present-comment.ts';

export const listPlanThreads = defineOperation({
  name: 'list-plan-threads',
  group: 'Plans',
  summary: 'List comments with the position of their quotes',
  description:
    'Each comment has the text it quotes, where that text is in the requested version, and the version that addressed it.',
  http: { method: 'GET', path: '/api/v2/plans/:seriesId/threads', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: ListPlanThreadsInput,
  output: PlanThreads,
  problems: ['not_found'],
  async run(context, input) {
    const { actor, db } = context;
    const limit = input.limit ?? DEFAULT_LIMIT;
    const after = readTimeCursor(input.cursor);
    const plan = await findPlan(context, input.seriesId);
    const [target, rows, mutedThreadIds] = await Promise.all([
      selectVersion(db, plan.id, input.version ?? plan.version),
      selectComments(db, plan.id, { after, limit: limit + 1, inThreadOf: input.commentId }),
      selectMutedThreads(db, plan.id, actor.userId),
    ]);
    if (!target) throw notFound('The version');
    const { nextCursor, page } = cutPage(rows, limit, (row) => timeCursorOf(row.created_at, row.id));
    const anchored = page.filter((row): row is typeof row & AnchoredComment => row.anchor !== null);
    const placed = await placeComments(
      { call: callOf(context), db, state: context.state },
      plan.id,
      anchored,
      target,
    );
    return {
      version: target.version,
      status: plan.status,
      lastEvent: Number(plan.last_event),
      comments: page.map((row) => presentThreadComment(row, placed.get(row.id))),
      mutedThreadIds,
      nextCursor,
    };
  },
});

function presentThreadComment(row: ListedCommentRow, placed: PlacedQuote | undefined) {
  return {
    ...presentComment(row),
    threadId: row.thread_id,
    author: { id: row.author_id, name: row.author_name },
    authorKind: row.author_kind,
    version: row.version,
    editedAt: row.edited_at?.toISOString() ?? null,
    quote: placed?.quote ?? null,
    placement: placed?.placement ?? null,
    addressed:
      row.addressed_version === null
        ? null
        : {
            version: row.addressed_version,
            oldText: row.addressed_old ?? '',
            newText: row.addressed_new ?? '',
          },
  };
}
