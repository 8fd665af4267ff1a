/** What an agent should do next, by the status of its plan. */
import type { Operations } from '../../operation-types.ts';

type PlanStatus = Operations['get-plan']['output']['status'];

const NEXT: Record<PlanStatus, string> = {
  pending:
    'Not approved yet. `get_plan_comments` shows what reviewers ask for; `wait_for_review` waits for them. Do not write code before a person approves.',
  approved: 'Approved. Write the code, open a pull request, then call `link_plan_to_pr`.',
  implemented: 'A pull request implements this plan. Nothing is left to do unless reviewers ask for changes.',
  closed: 'Closed: do not implement it. Ask the user how to proceed.',
  deleted: 'Deleted. Ask the user how to proceed.',
};

const NEXT_ONCE_LINKED: Record<PlanStatus, string> = {
  ...NEXT,
  approved:
    'Approved, and the pull request is linked. Tell the user; link further pull requests if there are any. Nothing else is left to do here.',
  implemented:
    'The plan is implemented and the pull request is linked. Tell the user; link further pull requests if there are any. Nothing else is left to do here.',
  closed: 'The pull request is linked, but the plan is closed. Ask the user how to proceed.',
};

export function nextForStatus(plan: { status: PlanStatus; hasPullRequest: boolean }): string {
  return (plan.hasPullRequest ? NEXT_ONCE_LINKED : NEXT)[plan.status];
}
