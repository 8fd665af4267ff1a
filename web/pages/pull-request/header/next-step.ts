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
  | 'allow_push'
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
  | 'allowedVerdicts'
  | 'automaticReview'
  | 'baseBranch'
  | 'conflicts'
  | 'headCommit'
  | 'mergeability'
  | 'mergeRequirements'
  | 'openDiscussions'
  | 'pushProblem'
  | 'requestedReviewers'
  | 'verdicts'
  | 'waitingForMe'
>;

/** Null once it is merged or closed. */
export function nextStep(pullRequest: StepFacts, user: { id: string; isAdmin: boolean }): NextStep | null {
  const { mergeRequirements: merging } = pullRequest;
  if (merging === null) return null;
  const isAuthor = pullRequest.author.id === user.id;
  const step = isAuthor ? authorStep(pullRequest) : reviewerStep(pullRequest, user.id);
  return step ?? mergeStep(pullRequest, user) ?? waitStep(pullRequest, user.id);
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
  const isAsked = requestedReviewers.some(({ canApprove }) => canApprove);
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
  const { allowedActions, automaticReview, headCommit, requestedReviewers, state, verdicts, waitingForMe } =
    pullRequest;
  const canApprove = pullRequest.allowedVerdicts.includes('approved');
  if (!allowedActions.includes('review')) return undefined;
  const mine = verdicts.filter(
    ({ author, dismissedAt, verdict }) =>
      author.id === userId && dismissedAt === null && verdict !== 'commented',
  );
  if (!waitingForMe) {
    if (state === 'draft' || mine.at(-1)?.commit === headCommit) return undefined;
    // Others are asked, or have reviewed enough: whoever was not asked and owns nothing of it need not.
    const isAskingOthers = requestedReviewers.length > 0;
    const isOwner = findUnmet(pullRequest, 'owners')?.people.some(({ id }) => id === userId);
    if (mine.length === 0 && !isOwner && (isAskingOthers || !canApprove || !lacks(pullRequest, 'approvals')))
      return undefined;
  }
  if (mine.length > 0) return { kind: 'review', text: 'Review the new commits' };
  const { files } = automaticReview;
  return {
    kind: 'review',
    text: files > 0 ? `Review ${count(files, 'changed file')}` : 'Review the changes',
  };
}

function mergeStep(
  { allowedActions, mergeRequirements, origin, pushProblem }: StepFacts,
  { isAdmin }: { isAdmin: boolean },
): NextStep | undefined {
  if (!mergeRequirements?.isMet) return undefined;
  if (!allowedActions.includes('comment')) return { kind: 'wait', text: 'Ready to merge' };
  if (origin === 'host') return { kind: 'merge_on_host', text: 'Merge on the code host' };
  if (!pushProblem) return { kind: 'merge', text: 'Merge' };
  return isAdmin
    ? { kind: 'allow_push', text: 'Let Countersign push to the repository' }
    : { kind: 'wait', text: 'Waiting for an admin to let Countersign push to the repository' };
}

/** The first thing that is missing, and who has to do it. */
function waitStep(pullRequest: StepFacts, userId: string): NextStep {
  const { author, mergeability, mergeRequirements, requestedReviewers, verdicts } = pullRequest;
  const wait = (text: string): NextStep => ({ kind: 'wait', text });
  const isAuthor = author.id === userId;
  if (mergeability === 'conflicts' && !isAuthor)
    return wait(`Waiting for ${author.name} to resolve conflicts`);
  const missing = mergeRequirements!.requirements.find((requirement) => !requirement.isMet);
  if (missing?.kind === 'draft' && !isAuthor) return wait(`Waiting for ${author.name} to finish the draft`);
  if (lacks(pullRequest, 'changes_requested')) {
    if (!isAuthor && isReviewedSince(verdicts, pullRequest.headCommit))
      return wait(`Waiting for ${author.name} to make the requested changes`);
    const names = verdicts
      .filter(({ dismissedAt, verdict }) => verdict === 'changes_requested' && dismissedAt === null)
      .map(({ author: reviewer }) => reviewer.name);
    return wait(`Waiting for ${listOf([...new Set(names)])} to review again`);
  }
  // An approval by an owner is one more approval too.
  const owners = findUnmet(pullRequest, 'owners');
  if (owners && (missing === owners || missing?.kind === 'approvals')) {
    const names = [...owners.people, ...owners.teams].map(({ name }) => name);
    if (names.length > 0) return wait(`Waiting for an owner: ${listOf([...new Set(names)], 'or')}`);
  }
  if (missing?.kind === 'approvals') {
    const asked = requestedReviewers
      .filter(({ canApprove, id }) => canApprove && id !== userId)
      .map(({ name }) => name);
    if (asked.length > 0) return wait(`Waiting for a review by ${listOf([...new Set(asked)], 'or')}`);
  }
  if (missing?.kind === 'who_may_merge') return wait(`Ready to merge. ${missing.detail ?? ''}`.trim());
  return wait(missing ? `Waiting: ${missing.title}` : 'Nothing to do for you');
}

function findUnmet({ mergeRequirements }: StepFacts, kind: string) {
  return mergeRequirements?.requirements.find((each) => each.kind === kind && !each.isMet);
}

function lacks(pullRequest: StepFacts, kind: string): boolean {
  return findUnmet(pullRequest, kind) !== undefined;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function listOf(names: readonly string[], word: 'and' | 'or' = 'and'): string {
  if (names.length > 3) return `${names.slice(0, 2).join(', ')} ${word} ${names.length - 2} others`;
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}
