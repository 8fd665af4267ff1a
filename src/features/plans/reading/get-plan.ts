/** GET /api/v2/plans/:seriesId: everything on the plan's page except its comments. */
import type { z } from 'zod';
import { type Context, callOf, defineOperation } from '../../../context.ts';
import { createTextThreads } from '../../../engines/plan-text/index.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { isOnlyActivePerson } from '../../memberships/index.ts';
import { isSettingOn } from '../../organization-settings/index.ts';
import { readPlannerSession } from '../../planner-events/index.ts';
import { GetPlanInput, PlanDetail, type PlannerSession, type PlanReview } from '../contract.ts';
import { actionsOn } from '../status/plan-actions.ts';
import { isInReview } from '../status/review-state.ts';
import { approvalBlockedBecause } from '../status/who-may-approve.ts';
import { selectRepositoriesThenAndNow } from '../store/plan-repository-store.ts';
import { selectCurrentPlan, selectVersions } from '../store/plan-store.ts';
import { selectPullRequests } from '../store/pull-request-store.ts';
import {
  type ReviewRow,
  selectApprovers,
  selectReviewRequests,
  selectReviews,
  wroteContent,
} from '../store/review-store.ts';
import { presentPlan, presentVersion } from './present-plan.ts';
import { readFreshness } from './read-freshness.ts';

const MAX_VERSIONS = 500;
const MAX_REVIEWS = 200;

export const getPlan = defineOperation({
  name: 'get-plan',
  group: 'Plans',
  summary: 'Get a plan',
  description:
    'Returns the plan with its versions, reviews, structure, planner session and the actions you can take.',
  http: { method: 'GET', path: '/api/v2/plans/:seriesId', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: GetPlanInput,
  output: PlanDetail,
  problems: ['not_found'],
  async run(context, { seriesId }) {
    const { actor, baseUrl, db } = context;
    const row = await selectCurrentPlan(db, actor.organizationId, seriesId);
    if (!row) throw notFound('The plan');
    const [
      repositories,
      pullRequests,
      versions,
      reviews,
      requests,
      approvers,
      session,
      selfApproval,
      onlyActivePerson,
      wrote,
    ] = await Promise.all([
      selectRepositoriesThenAndNow(db, actor, row.version_id),
      selectPullRequests(db, actor, row.id),
      selectVersions(db, row.id, MAX_VERSIONS),
      selectReviews(db, row.id, MAX_REVIEWS),
      selectReviewRequests(db, row.id),
      selectApprovers(db, row.id, row.content_since),
      readSession(context, seriesId),
      isSettingOn(db, actor.organizationId, 'self_approval'),
      isOnlyActivePerson(db, actor),
      wroteContent(db, row.id, row.content_since, actor.userId),
    ]);
    const blocked = approvalBlockedBecause(
      { wroteContent: wrote, createdPlan: row.created_by === actor.userId },
      { selfApproval, onlyActivePerson },
    );
    const structure = await context.state
      .of(createTextThreads)
      .run(callOf(context), 'readPlanStructure', row.content);
    const about = { status: row.status, createdBy: row.created_by, approvers };
    return {
      ...presentPlan(row, repositories, pullRequests, baseUrl),
      needsMyReview: isInReview(row) && requests.some(({ user_id }) => user_id === actor.userId),
      commentCount: row.comment_count,
      versions: versions.map(presentVersion),
      reviews: reviews.map(presentReview),
      reviewRequests: requests.map((request) => ({
        reviewer: { id: request.user_id, name: request.reviewer_name },
        requestedBy: { id: request.requested_by, name: request.requester_name },
        requestedAt: request.requested_at.toISOString(),
      })),
      structure,
      freshness: await readFreshness(context, repositories, structure.files),
      session,
      actions: actionsOn({ ...about, approvalBlocked: blocked !== undefined }, actor),
      approvalBlockedBecause: blocked ?? null,
      lastEvent: Number(row.last_event),
    };
  },
});

async function readSession(
  { actor, db }: Context,
  seriesId: string,
): Promise<z.input<typeof PlannerSession> | null> {
  const session = await readPlannerSession(db, actor, seriesId);
  if (!session) return null;
  const { firstEventAt, lastEventAt } = session;
  return {
    ...session,
    firstEventAt: firstEventAt.toISOString(),
    lastEventAt: lastEventAt.toISOString(),
    durationSeconds: Math.round((lastEventAt.getTime() - firstEventAt.getTime()) / 1000),
  };
}

function presentReview(row: ReviewRow): z.input<typeof PlanReview> {
  return {
    id: row.id,
    versionId: row.version_id,
    version: row.version,
    reviewer: { id: row.user_id, name: row.reviewer_name },
    verdict: row.verdict,
    note: row.note,
    createdAt: row.created_at.toISOString(),
    withdrawnAt: row.withdrawn_at?.toISOString() ?? null,
  };
}
