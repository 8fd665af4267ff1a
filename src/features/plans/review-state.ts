/** The review state of a plan. Pure. */
import type { PlanStatus, ReviewState } from './contract.ts';

/** Null if the plan needs no more review because it is implemented or closed. */
export function reviewStateOf(plan: {
  status: string;
  changes_requested_at: Date | null;
}): ReviewState | null {
  const status = plan.status as PlanStatus;
  if (status === 'approved') return 'approved';
  if (status !== 'pending') return null;
  return plan.changes_requested_at === null ? 'awaiting_review' : 'changes_requested';
}
