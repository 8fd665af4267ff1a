/** Reads a pull request with everything that its page shows at first, in a fixed number of queries. */
import type { z } from 'zod';
import { notFound } from '../../../platform/core/errors/errors.ts';
import type { Actor } from '../../../platform/core/operations/actor.ts';
import type { Db } from '../../../platform/db/index.ts';
import { pushProblem, selectPushFacts } from '../../repositories/index.ts';
import { presentStatus, selectStatuses } from '../../statuses/index.ts';
import { membersOf } from '../../teams/index.ts';
import { type PullRequest, TIMELINE_EVENT_KINDS } from '../contract.ts';
import { headKeptBecause } from '../rules/kept-head.ts';
import { protectedBecause } from '../rules/protected-head.ts';
import { readMergeRequirements } from '../rules/read-merge-requirements.ts';
import { selectAutomaticReview } from '../store/automatic-review-store.ts';
import { selectDeletedComments } from '../store/comment-store.ts';
import { selectNewestMerge } from '../store/merge-store.ts';
import { selectHeadBranchState } from '../store/own-push-store.ts';
import {
  type DetailRow,
  selectConversation,
  selectLinkedPlans,
  selectNewestRevert,
  selectPullRequestDetail,
  selectReviewRequests,
  selectVerdicts,
} from '../store/pull-request-parts-store.ts';
import { selectHeads } from '../store/pull-request-store.ts';
import { selectReactions } from '../store/reaction-store.ts';
import { selectTimeline } from '../store/timeline-store.ts';
import { selectWaitingMerge } from '../store/waiting-merge-store.ts';
import { allowedVerdicts } from './allowed-verdicts.ts';
import { mergeMessages } from './merge-messages.ts';
import { presentMerge, presentRevert, presentWaitingMerge } from './present-merge.ts';
import {
  presentAutomaticReview,
  presentComment,
  presentConflicts,
  presentDeletedComment,
  presentHead,
  presentMergeRequirements,
  presentPullRequestSummary,
  presentTimeline,
  presentVerdict,
} from './present-pull-request.ts';
import { actionsOn, type PullRequestAction } from './pull-request-actions.ts';

const MAX_SHOWN = {
  heads: 200,
  requests: 200,
  verdicts: 500,
  comments: 1000,
  plans: 20,
  files: 1000,
} as const;

/** Not found if the actor can't see it. */
export async function readPullRequest(
  db: Db,
  actor: Actor,
  pullRequestId: string,
): Promise<z.input<typeof PullRequest>> {
  const row = await selectPullRequestDetail(db, actor, pullRequestId);
  if (!row) throw notFound('The pull request');
  const heads = await selectHeads(db, row.id, MAX_SHOWN.heads);
  const requests = await selectReviewRequests(db, row.id, MAX_SHOWN.requests);
  const verdicts = await selectVerdicts(db, row.id, MAX_SHOWN.verdicts);
  const conversation = await selectConversation(db, row.id, MAX_SHOWN.comments);
  const commentIds = conversation.map((comment) => comment.id);
  const reactions = await selectReactions(db, actor, commentIds);
  const deleted = await selectDeletedComments(db, row.id);
  const timeline = await selectTimeline(db, row.id, Number(row.last_event), TIMELINE_EVENT_KINDS);
  const plans = await selectLinkedPlans(
    db,
    { organizationId: row.organization_id, repositoryId: row.repository_id, number: row.number },
    MAX_SHOWN,
  );
  const statuses = row.head_commit ? await selectStatuses(db, row.repository_id, row.head_commit) : [];
  const review = await selectAutomaticReview(db, row.id, row.head_commit);
  const summary = presentPullRequestSummary(row);
  const actions = actionsOn(row, actor);
  const merging = summary.mergeability === null ? null : await readMergeRequirements(db, row, actor);
  const ownWorkIds = merging?.ownWorkIds ?? [];
  const members = await membersOf(
    db,
    requests.flatMap(({ team_id }) => team_id ?? []),
  );
  const merge = await selectNewestMerge(db, row.id);
  const revert =
    row.origin === 'git' && row.state === 'merged' ? await selectNewestRevert(db, row.id) : undefined;
  const waiting = row.origin === 'git' ? await selectWaitingMerge(db, row.id) : undefined;
  const isMergedHere = actions.includes('merge');
  const branch = await closedBranch(db, row, actions);
  return {
    ...summary,
    origin: row.origin,
    description: row.description,
    url: row.url,
    headCommit: row.head_commit,
    baseCommit: row.base_commit,
    mergeBase: row.merge_base,
    conflicts: presentConflicts(summary.mergeability, row),
    statuses: statuses.map(presentStatus),
    heads: heads.map(presentHead),
    requestedReviewers: requests.map(({ person, team_id, team_name }) => ({
      id: person.id,
      name: team_name ?? person.name,
      teamId: team_id,
      canApprove:
        team_id === null
          ? person.id === null || !ownWorkIds.includes(person.id)
          : (members.get(team_id) ?? []).some((id) => !ownWorkIds.includes(id)),
    })),
    verdicts: verdicts.map(presentVerdict),
    conversation: conversation.map((comment) => presentComment(comment, reactions.get(comment.id))),
    deletedComments: deleted.filter((each) => each.discussion_id === null).map(presentDeletedComment),
    timeline: timeline.map(presentTimeline),
    plans: plans.map((plan) => ({
      seriesId: plan.series_id,
      title: plan.title,
      status: plan.status,
      reviewState: plan.reviewState,
      files: plan.files,
    })),
    muted: row.muted,
    lastSeenHead: row.last_seen_head,
    mergedAt: row.merged_at?.toISOString() ?? null,
    closedAt: row.closed_at?.toISOString() ?? null,
    merge: merge ? presentMerge(merge) : null,
    mergeWhenReady: waiting ? presentWaitingMerge(waiting) : null,
    mergeMessages: isMergedHere ? mergeMessages({ ...summary, description: row.description }) : null,
    revertedBy: revert ? presentRevert(revert) : null,
    pushProblem: isMergedHere ? pushProblem(await selectPushFacts(db, row.repository_id)) : null,
    headBranchDeletable: (isMergedHere || branch === 'kept') && (await headKeptBecause(db, row)) === null,
    headBranchRestorable: branch === 'gone' && !(await isProtected(db, row)),
    automaticReview: presentAutomaticReview(row.review_trigger !== null, review),
    mergeRequirements: merging && presentMergeRequirements(merging),
    allowedActions: actions,
    allowedVerdicts: await allowedVerdicts(db, actor, { authorId: summary.author.id, ownWorkIds, actions }),
    lastEvent: Number(row.last_event),
  };
}

async function isProtected(
  db: Db,
  { head_branch, organization_id: organizationId, repository_id: repositoryId }: DetailRow,
): Promise<boolean> {
  return (await protectedBecause(db, { organizationId, repositoryId }, head_branch)) !== null;
}

/** The head branch of a merged or closed one; undefined for those who can't push here. */
async function closedBranch(
  db: Db,
  {
    head_branch: branch,
    head_commit: commit,
    id: pullRequestId,
    repository_id: repositoryId,
    state,
  }: DetailRow,
  actions: readonly PullRequestAction[],
): ReturnType<typeof selectHeadBranchState> {
  // Whoever may revert or reopen may push.
  const mayPush = actions.includes('revert') || actions.includes('reopen');
  if (commit === null || !mayPush || (state !== 'merged' && state !== 'closed')) return undefined;
  return selectHeadBranchState(db, { repositoryId, pullRequestId, branch, commit });
}
