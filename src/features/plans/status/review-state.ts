/** The review state of a plan: the one rule that every gate reads. Pure. */
import type { PlanStatus, ReviewState } from '../contract.ts';

/**
 * Approved only if a person approved the newest version, and that approval stands. The status doesn't say that: linking a pull
 * request makes any pending plan implemented. Null for a closed plan, which nobody can approve.
 */
export function reviewStateOf(plan: {
  status: PlanStatus;
  is_approved: boolean;
  changes_requested_at: Date | null;
}): ReviewState | null {
  if (plan.status === 'closed' || plan.status === 'deleted') return null;
  if (plan.is_approved) return 'approved';
  return plan.changes_requested_at === null ? 'awaiting_review' : 'changes_requested';
}

/** Whether reviewers who were asked still have something to decide. */
export function isInReview(plan: Parameters<typeof reviewStateOf>[0]): boolean {
  const state = reviewStateOf(plan);
  return state !== null && state !== 'approved';
}
