/**
 * The rules on who may change which member, as pure functions.
 * Invariants: an organization always has an active owner; only owners add, change or remove owners; nobody can assign a
 * role above their own.
 */
import { hasRole, ROLES, type Role } from '../../../platform/core/operations/actor.ts';

export interface MemberState {
  role: Role;
  active: boolean;
}

export type Verdict = { allowed: true } | { allowed: false; code: 'forbidden' | 'conflict'; reason: string };

/** Whether someone with this role may change a member from one state to another. */
export function checkMemberChange(
  by: Role,
  from: MemberState,
  to: MemberState,
  activeOwners: number,
): Verdict {
  if (!hasRole(by, 'admin'))
    return { allowed: false, code: 'forbidden', reason: 'Only admins and owners can manage members.' };
  if (by !== 'owner' && (from.role === 'owner' || to.role === 'owner')) {
    return {
      allowed: false,
      code: 'forbidden',
      reason: 'Only an owner can add, change or remove an owner.',
    };
  }
  const ownerBefore = from.role === 'owner' && from.active;
  const ownerAfter = to.role === 'owner' && to.active;
  if (ownerBefore && !ownerAfter && activeOwners <= 1) {
    return {
      allowed: false,
      code: 'conflict',
      reason: 'This is the last owner. Make someone else an owner first.',
    };
  }
  return { allowed: true };
}

/** Uses the rule that checks the change itself, so that the page offers nothing that would be refused. */
export function possibleChanges(by: Role, member: MemberState, activeOwners: number) {
  const may = (to: Partial<MemberState>) =>
    checkMemberChange(by, member, { ...member, ...to }, activeOwners).allowed;
  return {
    deactivate: member.active && may({ active: false }),
    reactivate: !member.active && may({ active: true }),
    changeRoleTo: ROLES.filter((role) => role !== member.role && may({ role })),
  };
}

/** Whether someone with this role may invite a person with the given role. */
export function mayInvite(by: Role, role: Role): boolean {
  return hasRole(by, 'admin') && (by === 'owner' || role !== 'owner');
}
