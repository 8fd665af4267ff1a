/** Suspends a member whom the provider no longer accepts: no session, key or agent works until they sign in there again. */
import type { Db } from '../../../platform/db/index.ts';
import { deleteSessionsOf, updateMembershipAccess } from '../../accounts/index.ts';
import { recordAudit, serviceOf } from '../../audit/index.ts';
import type { Owner } from '../../memberships/index.ts';
import { lockMembership } from './identity-store.ts';

export type SuspensionReason = 'refused_by_provider' | 'sign_in_expired' | 'no_longer_allowed';

/** Call it inside a transaction. */
export async function suspendMember(
  transaction: Db,
  owner: Owner,
  reason: SuspensionReason,
  at: Date,
): Promise<void> {
  const membership = await lockMembership(transaction, owner);
  if (!membership || membership.deactivated_at !== null || membership.suspended_at !== null) return;
  await updateMembershipAccess(transaction, owner, { suspended_at: at });
  await deleteSessionsOf(transaction, owner.userId, owner.organizationId);
  await recordAudit(transaction, serviceOf(owner.organizationId, at), {
    action: 'member.suspended',
    subjectId: owner.userId,
    subjectName: membership.name,
    detail: { reason },
  });
}
