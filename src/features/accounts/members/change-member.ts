/** PATCH /api/v2/members/:userId: changes a member's role, deactivates or reactivates them. */

import { defineOperation } from '../../../context.ts';
import { notFound, Problem } from '../../../platform/core/errors/errors.ts';
import { ROLES, type Role } from '../../../platform/core/operations/actor.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { revokeKeysOf } from '../../api-keys/index.ts';
import { type AuditSource, callerOf, recordAudit } from '../../audit/index.ts';
import { deleteGrantsOf } from '../../oauth/index.ts';
import { ChangeMemberInput, Member } from '../contract.ts';
import { sessionGone } from '../sessions/start-session.ts';
import { lockMembersAndOwners, type MemberRow, updateMembership } from '../store/account-store.ts';
import { revokeLinksBy } from '../store/invitation-link-store.ts';
import { revokeInvitationsBy } from '../store/invitation-store.ts';
import { deleteSessionsOf } from '../store/session-store.ts';
import { checkMemberChange, mayInvite } from './member-rules.ts';
import { presentMember } from './present-member.ts';

export const changeMember = defineOperation({
  name: 'change-member',
  group: 'People',
  summary: "Change a member's role, deactivate or reactivate them",
  description:
    'Deactivating a member immediately ends all of their sessions, API keys and signed-in agents in this organization. Pending invitations that they may no longer send are revoked. The last owner cannot be deactivated or demoted.',
  http: { method: 'PATCH', path: '/api/v2/members/:userId', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ChangeMemberInput,
  output: Member,
  problems: ['forbidden', 'not_found', 'conflict'],
  async run(context, input) {
    return presentMember(await alterMember(context.db, context.actor.role, callerOf(context), input));
  },
});

/**
 * Changes a membership under its lock; the operator's command uses it too, with an owner's rights. `by` is the caller's
 * role when the request arrived; it may have changed since, so a user's role is read again under the lock.
 */
export function alterMember(
  db: Db,
  by: Role,
  source: AuditSource,
  change: { userId: string; role?: Role; active?: boolean },
): Promise<MemberRow> {
  return inTransaction(db, async (transaction) => {
    const { organizationId, at, userId: callerId } = source;
    const held = callerId === null ? [change.userId] : [change.userId, callerId];
    const { members, activeOwners } = await lockMembersAndOwners(transaction, organizationId, held);
    const member = members.find(({ id }) => id === change.userId);
    if (!member) throw notFound('The member');
    const from = { role: member.role, active: member.deactivated_at === null };
    const to = { role: change.role ?? from.role, active: change.active ?? from.active };
    if (from.role === to.role && from.active === to.active) return member;
    const currentRole = callerId === null ? by : activeRole(members.find(({ id }) => id === callerId));
    const verdict = checkMemberChange(currentRole, from, to, activeOwners);
    if (!verdict.allowed) throw new Problem(verdict.code, verdict.reason);

    const deactivatedAt = to.active ? null : (member.deactivated_at ?? at);
    await updateMembership(transaction, organizationId, member.id, { role: to.role, deactivatedAt });
    const lost = ROLES.filter((role) => !(to.active && mayInvite(to.role, role)));
    await revokeInvitationsBy(transaction, organizationId, member.id, lost, at);
    if (lost.includes('member')) await revokeLinksBy(transaction, organizationId, member.id, at);
    const subject = { subjectId: member.id, subjectName: member.name };
    if (from.role !== to.role) {
      const detail = { from: from.role, to: to.role };
      await recordAudit(transaction, source, { action: 'member.role_changed', ...subject, detail });
    }
    if (from.active !== to.active) {
      if (!to.active) {
        await deleteSessionsOf(transaction, member.id, organizationId);
        await revokeKeysOf(transaction, { organizationId, userId: member.id }, at);
        await deleteGrantsOf(transaction, { organizationId, userId: member.id });
      }
      await recordAudit(transaction, source, {
        action: to.active ? 'member.reactivated' : 'member.deactivated',
        ...subject,
      });
    }
    return { ...member, role: to.role, deactivated_at: deactivatedAt };
  });
}

function activeRole(member: MemberRow | undefined): Role {
  if (!member || member.deactivated_at !== null) throw sessionGone();
  return member.role;
}
