/** The actions a user can take on a plan now, so that the page offers only those. Pure. */
import { type Actor, hasRole } from '../../../platform/core/operations/actor.ts';
import type { PlanStatus } from '../contract.ts';
import { decideStatus, type PlanActionName } from './plan-status.ts';

export type UserAction =
  | 'comment'
  | 'approve'
  | 'request_changes'
  | 'withdraw_approval'
  | 'mark_implemented'
  | 'close'
  | 'reopen'
  | 'delete'
  | 'request_review';

const BY_STATUS: [UserAction, PlanActionName][] = [
  ['request_changes', 'request-changes'],
  ['mark_implemented', 'mark-implemented'],
  ['close', 'close'],
  ['reopen', 'reopen'],
];

export function actionsOn(
  plan: { status: PlanStatus; createdBy: string; approvers: string[]; approvalBlocked: boolean },
  actor: Pick<Actor, 'userId' | 'role'>,
): UserAction[] {
  if (!hasRole(actor.role, 'member')) return [];
  const isAllowed = (action: PlanActionName) => decideStatus(plan.status, action).decision !== 'refuse';
  const approved = plan.approvers.includes(actor.userId);
  const admin = hasRole(actor.role, 'admin');
  return [
    'comment',
    ...(isAllowed('approve') && !approved && !plan.approvalBlocked ? (['approve'] as const) : []),
    ...(isAllowed('withdraw-approval') && (approved || (admin && plan.approvers.length > 0))
      ? (['withdraw_approval'] as const)
      : []),
    ...BY_STATUS.filter(([, action]) => isAllowed(action)).map(([name]) => name),
    ...(plan.status === 'closed' ? [] : (['request_review'] as const)),
    ...(admin || plan.createdBy === actor.userId ? (['delete'] as const) : []),
  ];
}
