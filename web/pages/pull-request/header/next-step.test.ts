/** The next step, over the states that a pull request can be in. */
import { expect, it } from 'vitest';
import { nextStep, type StepFacts } from './next-step.ts';

const ann = { kind: 'person' as const, id: 'ann', name: 'Ann' };
const bo = { kind: 'person' as const, id: 'bo', name: 'Bo' };
const need = (kind: string, isMet = false) => ({
  ...{
    kind: kind as 'approvals',
    isMet,
    title: `${kind} missing`,
    detail: null as string | null,
    people: [] as { id: string; name: string }[],
    teams: [] as { id: string; name: string }[],
  },
});
const merging = (...requirements: ReturnType<typeof need>[]) => ({
  ...{ rule: null, requirements, isMet: requirements.every(({ isMet }) => isMet) },
});
const FACTS: StepFacts = {
  state: 'open',
  origin: 'git',
  author: ann,
  allowedActions: ['comment', 'review', 'request_review', 'edit', 'close'],
  allowedVerdicts: ['approved', 'changes_requested', 'commented'],
  automaticReview: { due: false, state: 'done', problem: null, files: 12, findings: 0, isFirst: true },
  baseBranch: 'main',
  conflicts: null,
  headCommit: 'h2',
  mergeability: 'clean',
  mergeRequirements: merging(need('approvals')),
  openDiscussions: 0,
  pushProblem: null,
  requestedReviewers: [],
  verdicts: [],
  waitingForMe: false,
};
const said = (verdict: 'approved' | 'changes_requested', commit: string, author = bo) => ({
  ...{
    id: commit,
    author,
    verdict,
    note: null,
    commit,
    baseBranch: 'main',
    createdAt: '',
    dismissedAt: null,
    dismissedBy: null,
    dismissalReason: null,
  },
  sending: { state: 'none' as const, problem: null },
});
const asked = (id: string, name: string, canApprove = true) => ({ id, name, teamId: null, canApprove });
const owners = (...people: { id: string; name: string }[]) => ({
  ...need('owners'),
  people,
  teams: [{ id: 'core', name: 'core' }],
});
const done = merging(need('approvals', true));
const requested = merging(need('changes_requested'));

it.each<[string, Partial<StepFacts>, string | null, string | null]>([
  ['opened', {}, 'Request a review', 'Review 12 changed files'],
  [
    'a review is requested',
    { requestedReviewers: [asked('bo', 'Bo')], waitingForMe: true },
    'Waiting for a review by Bo',
    'Review 12 changed files',
  ],
  [
    'not counted yet',
    { automaticReview: { ...FACTS.automaticReview, files: 0 } },
    'Request a review',
    'Review the changes',
  ],
  [
    'a draft',
    { state: 'draft', mergeRequirements: merging(need('draft'), need('approvals')) },
    'Mark as ready for review',
    'Waiting for Ann to finish the draft',
  ],
  [
    'a draft, asked',
    { state: 'draft', waitingForMe: true },
    'Mark as ready for review',
    'Review 12 changed files',
  ],
  [
    'conflicts',
    { mergeability: 'conflicts', conflicts: { total: 2, files: [] } },
    'Resolve conflicts in 2 files',
    'Review 12 changed files',
  ],
  ['conflicts on a host', { mergeability: 'conflicts' }, 'Resolve conflicts', 'Review 12 changed files'],
  ['open discussions', { openDiscussions: 2 }, 'Answer 2 discussions', 'Review 12 changed files'],
  ['one discussion', { openDiscussions: 1 }, 'Answer 1 discussion', 'Review 12 changed files'],
  [
    'changes requested',
    { mergeRequirements: requested, verdicts: [said('changes_requested', 'h2')] },
    'Make the requested changes',
    'Waiting for Ann to make the requested changes',
  ],
  [
    'changed since',
    { mergeRequirements: requested, verdicts: [said('changes_requested', 'h1')] },
    'Waiting for Bo to review again',
    'Review the new commits',
  ],
  [
    'approved before the push',
    { verdicts: [said('approved', 'h1')] },
    'Request a review',
    'Review the new commits',
  ],
  ['approved', { mergeRequirements: done, verdicts: [said('approved', 'h2')] }, 'Merge', 'Merge'],
  [
    'approved by others',
    { mergeRequirements: done, verdicts: [said('approved', 'h2', ann)] },
    'Merge',
    'Merge',
  ],
  [
    'approved, on a host',
    { origin: 'host', mergeRequirements: done, verdicts: [said('approved', 'h2')] },
    'Merge on the code host',
    'Merge on the code host',
  ],
  [
    'a status is missing',
    { mergeRequirements: merging(need('status')), verdicts: [said('approved', 'h2')] },
    'Waiting: status missing',
    'Waiting: status missing',
  ],
  [
    'approved and asked again',
    {
      mergeRequirements: done,
      verdicts: [said('approved', 'h2')],
      waitingForMe: true,
      requestedReviewers: [asked('bo', 'Bo')],
    },
    'Merge',
    'Review the new commits',
  ],
  [
    'someone else is asked',
    { requestedReviewers: [asked('cy', 'Cy')] },
    'Waiting for a review by Cy',
    'Waiting for a review by Cy',
  ],
  [
    'one of those who are asked wrote some of it',
    { requestedReviewers: [asked('cy', 'Cy', false), asked('di', 'Di')] },
    'Waiting for a review by Di',
    'Waiting for a review by Di',
  ],
  [
    'nobody who is asked could approve',
    { requestedReviewers: [asked('cy', 'Cy', false)], allowedVerdicts: ['commented'] },
    'Request a review',
    'Waiting: approvals missing',
  ],
  [
    'an owner has to approve',
    {
      mergeRequirements: merging(need('approvals'), owners({ id: 'cy', name: 'Cy' })),
      requestedReviewers: [asked('cy', 'Cy'), asked('di', 'Di')],
    },
    'Waiting for an owner: Cy or core',
    'Waiting for an owner: Cy or core',
  ],
  [
    'an owner who was not asked looks',
    { mergeRequirements: merging(owners(bo)), requestedReviewers: [asked('cy', 'Cy')] },
    'Waiting for an owner: Bo or core',
    'Review 12 changed files',
  ],
  [
    'conflicts, and others are asked',
    { mergeability: 'conflicts', requestedReviewers: [asked('cy', 'Cy')] },
    'Resolve conflicts',
    'Waiting for Ann to resolve conflicts',
  ],
  [
    'only others may merge',
    {
      mergeRequirements: merging({ ...need('who_may_merge'), detail: 'Admins can.' }),
      verdicts: [said('approved', 'h2')],
    },
    'Ready to merge. Admins can.',
    'Ready to merge. Admins can.',
  ],
  [
    'the repository takes no push',
    {
      mergeRequirements: done,
      pushProblem: { reason: 'no_credential', address: 'https' },
      verdicts: [said('approved', 'h2')],
    },
    'Waiting for an admin to let Countersign push to the repository',
    'Let Countersign push to the repository',
  ],
  ['a viewer', { allowedActions: [] }, 'Waiting: approvals missing', 'Waiting: approvals missing'],
  ['a viewer, approved', { allowedActions: [], mergeRequirements: done }, 'Ready to merge', 'Ready to merge'],
  ['merged', { state: 'merged', mergeRequirements: null }, null, null],
])('%s', (_, facts, author, reviewer) => {
  const shown = { ...FACTS, ...facts };
  expect(nextStep(shown, { id: 'ann', isAdmin: false })?.text ?? null).toBe(author);
  expect(nextStep(shown, { id: 'bo', isAdmin: true })?.text ?? null).toBe(reviewer);
});
