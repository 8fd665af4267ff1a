/** Turns the rows of pull requests into their API shapes. */
import type { z } from 'zod';
import type { ConflictedFile } from '../../../platform/core/ports/code-differences.ts';
import { presentEvent } from '../../events/index.ts';
import type {
  Author,
  AutomaticReview,
  DeletedComment,
  Mergeability,
  MergeConflicts,
  MergeRequirements,
  PullRequest,
  PullRequestComment,
  PullRequestHead,
  PullRequestSummary,
  PullRequestVerdict,
  Sending,
} from '../contract.ts';
import { mergeabilityOf } from '../rules/mergeability-of.ts';
import type { ReadRequirements } from '../rules/read-merge-requirements.ts';
import type { selectAutomaticReview } from '../store/automatic-review-store.ts';
import type { DeletedCommentRow } from '../store/comment-store.ts';
import type { SummaryRow } from '../store/pull-request-list-store.ts';
import type { CommentRow, DetailRow, VerdictRow } from '../store/pull-request-parts-store.ts';
import type { HeadRow } from '../store/pull-request-store.ts';
import type { ReactionRow } from '../store/reaction-store.ts';
import type { ShownPerson } from '../store/shown-author-store.ts';
import type { TimelineRow } from '../store/timeline-store.ts';
import { presentReactions } from './present-reactions.ts';

export function presentAuthor<Kind extends z.input<typeof Author>['kind']>(kind: Kind, person: ShownPerson) {
  return { kind, id: person.id, name: person.name };
}

export function presentSending(row: {
  sending: z.input<typeof Sending>['state'];
  sending_problem: string | null;
}): z.input<typeof Sending> {
  return { state: row.sending, problem: row.sending_problem };
}

export function presentPullRequestSummary(row: SummaryRow): z.input<typeof PullRequestSummary> {
  return {
    id: row.id,
    repository: { id: row.repository_id, name: row.repository_name },
    number: row.number,
    title: row.title,
    state: row.state,
    author: presentAuthor(row.author_kind, row.author),
    headBranch: row.head_branch,
    headRepository: row.head_repository,
    baseBranch: row.base_branch,
    labels: row.labels,
    assignees: row.assignees,
    openDiscussions: row.open_discussion_count,
    discussions: row.discussion_count,
    comments: row.comment_count,
    verdict: row.verdict,
    mergeability: mergeabilityOf(row),
    statusSummary: row.status_summary,
    waitingForMe: row.waiting_for_me,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Those that were found for earlier commits say nothing about the present ones. */
export function presentConflicts(
  mergeability: z.input<typeof Mergeability>,
  row: Pick<DetailRow, 'conflict_count' | 'conflict_files'>,
): z.input<typeof MergeConflicts> {
  if (mergeability !== 'conflicts' || row.conflict_count === null) return null;
  return { total: row.conflict_count, files: row.conflict_files as unknown as ConflictedFile[] };
}

export function presentAutomaticReview(
  due: boolean,
  review: Awaited<ReturnType<typeof selectAutomaticReview>>,
): z.input<typeof AutomaticReview> {
  if (!review) return { due, state: null, problem: null, files: 0, findings: 0, isFirst: true };
  const { is_first: isFirst, ...rest } = review;
  return { due, ...rest, isFirst };
}

const MAX_PEOPLE = 20;

export function presentMergeRequirements({
  isMet,
  requirements,
  rule,
}: ReadRequirements): z.input<typeof MergeRequirements> {
  return {
    rule: rule && { id: rule.id, pattern: rule.pattern },
    isMet,
    requirements: requirements.map((each) => ({
      ...each,
      people: each.people.slice(0, MAX_PEOPLE),
      teams: each.teams.slice(0, MAX_PEOPLE),
    })),
  };
}

export function presentHead(row: HeadRow): z.input<typeof PullRequestHead> {
  return {
    position: row.position,
    commit: row.commit,
    baseCommit: row.base_commit,
    mergeBase: row.merge_base,
    forced: row.forced,
    seenAt: row.seen_at.toISOString(),
  };
}

export function presentVerdict(row: VerdictRow): z.input<typeof PullRequestVerdict> {
  return {
    id: row.id,
    author: presentAuthor(row.is_bot ? 'bot' : 'person', row.person),
    verdict: row.verdict,
    note: row.note,
    commit: row.commit,
    baseBranch: row.base_branch,
    createdAt: row.created_at.toISOString(),
    dismissedAt: row.dismissed_at?.toISOString() ?? null,
    dismissedBy: row.dismissed_by,
    dismissalReason: row.dismissal_reason,
    sending: presentSending(row),
  };
}

export function presentDeletedComment(row: DeletedCommentRow): z.input<typeof DeletedComment> {
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    deletedAt: row.deleted_at.toISOString(),
    deletedBy: row.deleted_by,
  };
}

export function presentComment(
  row: CommentRow,
  reactions: readonly ReactionRow[] | undefined,
): z.input<typeof PullRequestComment> {
  return {
    id: row.id,
    author: presentAuthor(row.author_kind, row.author),
    body: row.body,
    createdAt: row.created_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
    url: row.url,
    sending: presentSending(row),
    reactions: presentReactions(row, reactions),
  };
}

export function presentTimeline(row: TimelineRow): z.input<typeof PullRequest>['timeline'][number] {
  return { ...presentEvent(row), names: row.names };
}
