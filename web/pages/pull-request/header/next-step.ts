/** The one next step on a pull request for the person who looks at it, or what they wait for. Pure. */
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';

export type StepKind =
  | 'resolve_conflicts'
  | 'change'
  | 'answer'
  | 'ready'
  | 'review'
  | 'request_review'
  | 'merge'
  | 'merge_on_host'
  | 'wait';

export interface NextStep {
  kind: StepKind;
  /** A verb first, or who or what is waited for. */
  text: string;
}

export type StepFacts = Pick<
  PullRequest,
  | 'state'
  | 'origin'
  | 'author'
  | 'allowedActions'
  | 'automaticReview'
  | 'baseBranch'
  | 'conflicts'
  | 'headCommit'
  | 'mergeability'
  | 'mergeRequirements'
  | 'openDiscussions'
  | 'requestedReviewers'
  | 'verdicts'
  | 'waitingForMe'
>;

/** Null once it is merged or closed. */
export function nextStep(pullRequest: StepFacts, userId: string): NextStep | null {
  const { mergeRequirements: merging } = pullRequest;
  if (merging === null) return null;
  const isAuthor = pullRequest.author.id === userId;
  const step = isAuthor ? authorStep(pullRequest) : reviewerStep(pullRequest, userId);
  return step ?? mergeStep(pullRequest) ?? waitStep(pullRequest, userId);
}

function authorStep(pullRequest: StepFacts): NextStep | undefined {
  const { allowedActions, conflicts, mergeability, openDiscussions, requestedReviewers, state, verdicts } =
    pullRequest;
  if (mergeability === 'conflicts')
    return {
      kind: 'resolve_conflicts',
      text: conflicts ? `Resolve conflicts in ${count(conflicts.total, 'file')}` : 'Resolve conflicts',
    };
  if (openDiscussions > 0) return { kind: 'answer', text: `Answer ${count(openDiscussions, 'discussion')}` };
  const requested = lacks(pullRequest, 'changes_requested');
  if (requested && !isReviewedSince(verdicts, pullRequest.headCommit)) return undefined;
  if (requested) return { kind: 'change', text: 'Make the requested changes' };
  if (state === 'draft' && allowedActions.includes('edit'))
    return { kind: 'ready', text: 'Mark as ready for review' };
  const isAsked = requestedReviewers.length > 0;
  if (
    state === 'open' &&
    !isAsked &&
    lacks(pullRequest, 'approvals') &&
    allowedActions.includes('request_review')
  )
    return { kind: 'request_review', text: 'Request a review' };
  return undefined;
}

/** Whether the changes that were requested concern the newest head: after a push it is the reviewer's turn. */
function isReviewedSince(verdicts: StepFacts['verdicts'], headCommit: string | null): boolean {
  return verdicts.some(
    ({ commit, dismissedAt, verdict }) =>
      verdict === 'changes_requested' && dismissedAt === null && commit === headCommit,
  );
}

function reviewerStep(pullRequest: StepFacts, userId: string): NextStep | undefined {
  const { allowedActions, automaticReview, headCommit, state, verdicts, waitingForMe } = pullRequest;
  if (!allowedActions.includes('review')) return undefined;
  const mine = verdicts.filter(
    ({ author, dismissedAt, verdict }) =>
      author.id === userId && dismissedAt === null && verdict !== 'commented',
  );
  if (!waitingForMe && (state === 'draft' || mine.at(-1)?.commit === headCommit)) return undefined;
  // Others may have reviewed enough; whoever was not asked need not.
  if (!waitingForMe && mine.length === 0 && !lacks(pullRequest, 'approvals')) return undefined;
  if (mine.length > 0) return { kind: 'review', text: 'Review the new commits' };
  const { files } = automaticReview;
  return {
    kind: 'review',
    text: files > 0 ? `Review ${count(files, 'changed file')}` : 'Review the changes',
  };
}

function mergeStep({ mergeRequirements, origin }: StepFacts): NextStep | undefined {
  if (!mergeRequirements?.isMet) return undefined;
  return origin === 'git'
    ? { kind: 'merge', text: 'Merge' }
    : { kind: 'merge_on_host', text: 'Merge on the code host' };
}

function waitStep({ mergeRequirements, requestedReviewers, verdicts }: StepFacts, userId: string): NextStep {
  const missing = mergeRequirements!.requirements.find((requirement) => !requirement.isMet);
  if (missing?.kind === 'approvals') {
    const asked = requestedReviewers.filter(({ id }) => id !== userId).map(({ name }) => name);
    if (asked.length > 0) return { kind: 'wait', text: `Waiting for ${listOf(asked)}` };
  }
  if (missing?.kind === 'changes_requested') {
    const names = verdicts
      .filter(({ dismissedAt, verdict }) => verdict === 'changes_requested' && dismissedAt === null)
      .map(({ author }) => author.name);
    return { kind: 'wait', text: `Waiting for ${listOf([...new Set(names)])}` };
  }
  return { kind: 'wait', text: missing ? `Waiting: ${missing.title}` : 'Nothing to do for you' };
}

function lacks({ mergeRequirements }: StepFacts, kind: string): boolean {
  return mergeRequirements?.requirements.some((each) => each.kind === kind && !each.isMet) ?? false;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function listOf(names: readonly string[]): string {
  if (names.length > 3) return `${names.slice(0, 2).join(', ')} and ${names.length - 2} others`;
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
