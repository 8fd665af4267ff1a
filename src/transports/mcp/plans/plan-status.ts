/** Tells an agent what to do next, by the status and the review state of its plan. */
import type { Operations } from '../../../operation-types.ts';
import { ours } from '../text/marking.ts';

type PlanDetail = Operations['get-plan']['output'];
type Standing = Pick<PlanDetail, 'status' | 'reviewState'>;

/** In every reply about a plan. */
export const REVIEW_STATE = {
  reviewState: ours('word')
    .optional()
    .describe(
      'Of the newest version: `approved` (by a person), `changes_requested` or `awaiting_review`; absent if the plan is closed. Only `approved` means that you may go ahead: `implemented` says that a pull request is linked.',
    ),
};

export function presentReviewState({ reviewState }: Standing): { reviewState?: string } {
  return reviewState === null ? {} : { reviewState };
}

export function isApproved({ reviewState }: Standing): boolean {
  return reviewState === 'approved';
}

/** Whether people can still decide about it. */
export function isUndecided(plan: Standing): boolean {
  return plan.status !== 'closed' && plan.status !== 'deleted' && !isApproved(plan);
}

const NEXT: Record<PlanDetail['status'], string> = {
  pending:
    'Not approved yet. `get_plan_comments` shows what reviewers ask for; `wait_for_review` waits for them. Do not write code before a person approves.',
  approved: 'Approved. Write the code, open a pull request, then call `link_plan_to_pr`.',
  implemented: 'A pull request implements this plan. Nothing is left to do unless reviewers ask for changes.',
  closed: 'Closed: do not implement it. Ask the user how to proceed.',
  deleted: 'Deleted. Ask the user how to proceed.',
};

const NEXT_ONCE_LINKED: typeof NEXT = {
  ...NEXT,
  approved:
    'Approved, and the pull request is linked. Tell the user; link further pull requests if there are any. Nothing else is left to do here.',
  implemented:
    'The plan is implemented and the pull request is linked. Tell the user; link further pull requests if there are any. Nothing else is left to do here.',
  closed: 'The pull request is linked, but the plan is closed. Ask the user how to proceed.',
};

/** An implemented plan that nobody approved. */
const NEXT_UNAPPROVED =
  'Linked, not approved: a pull request is linked, but nobody has approved the newest version of the plan. Tell the user. `get_plan_comments` shows what reviewers ask for; `wait_for_review` waits for them. Do not write more code or merge before a person approves.';

export function nextForPlan(plan: Standing & { hasPullRequest: boolean }): string {
  if (plan.status === 'implemented' && !isApproved(plan)) return NEXT_UNAPPROVED;
  return (plan.hasPullRequest ? NEXT_ONCE_LINKED : NEXT)[plan.status];
}
