/** POST /api/v2/invitations/batch: invites many people at once; repeating it invites nobody twice. */
import type { Context } from '../../../context.ts';
import { defineOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { hashOf } from '../../../platform/core/text/secret-token.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import { holdActivations, holdMembership } from '../../memberships/index.ts';
import { InvitedMembers, InviteMembersInput } from '../contract.ts';
import { mayInvite } from '../members/member-rules.ts';
import { sessionGone } from '../sessions/start-session.ts';
import { selectMemberEmails } from '../store/account-store.ts';
import { insertInvitation, selectInvitation, selectPendingInvitations } from '../store/invitation-store.ts';
import { INVITATION_LIFE_MS } from './invitation-life.ts';
import { invitationLink, invitationToken } from './invitation-token.ts';
import { presentInvitation } from './present-invitation.ts';

export const inviteMembers = defineOperation({
  name: 'invite-members',
  group: 'People',
  summary: 'Invite several people',
  description:
    'All or nothing: with an invalid address nobody is invited, and each invalid address is listed. Members and people with a pending invitation are left as they are, so it can be repeated. Each link can be used once, expires in 7 days and is valid for its address only; it is also mailed when the service sends mail.',
  http: { method: 'POST', path: '/api/v2/invitations/batch', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: InviteMembersInput,
  output: InvitedMembers,
  problems: ['forbidden'],
  async run(context, input) {
    const { actor, clock, db } = context;
    const emails = [...new Set(input.emails)];
    return inTransaction(db, async (transaction) => {
      // Two admins who invite the same people at once invite each of them once.
      await holdActivations(transaction, actor.organizationId);
      const role = await holdMembership(transaction, actor);
      if (!role) throw sessionGone();
      if (!mayInvite(role, input.role)) throw new Problem('forbidden', 'Only an owner can invite an owner.');
      const now = clock.now();
      const members = await selectMemberEmails(transaction, actor.organizationId, emails);
      const pending = await selectPendingInvitations(transaction, actor.organizationId, emails, now);
      const people = [];
      for (const email of emails) {
        const known = pending.get(email);
        if (members.has(email))
          people.push({ email, outcome: 'already_member' as const, invitation: null, link: null });
        else if (known)
          people.push({
            ...{ email, outcome: 'already_invited' as const },
            ...{ invitation: presentInvitation(known), link: null },
          });
        else people.push(await inviteOne(context, transaction, { email, role: input.role, now }));
      }
      return { people };
    });
  },
});

async function inviteOne(
  context: Context,
  db: Db,
  { email, now, role }: { email: string; role: 'viewer' | 'member' | 'admin' | 'owner'; now: Date },
) {
  const { actor, baseUrl, secrets, settings } = context;
  const id = uuidv7();
  const token = invitationToken(secrets, id);
  await insertInvitation(db, {
    ...{ id, organizationId: actor.organizationId, tokenHash: hashOf(token), email, role },
    ...{ invitedBy: actor.userId, at: now, expiresAt: new Date(now.getTime() + INVITATION_LIFE_MS) },
    isMailed: settings.mail !== undefined,
  });
  await recordAudit(db, callerOf(context), {
    action: 'invitation.created',
    subjectId: id,
    subjectName: email,
    detail: { role },
  });
  const row = (await selectInvitation(db, actor.organizationId, id))!;
  return {
    ...{ email, outcome: 'invited' as const },
    ...{ invitation: presentInvitation(row), link: invitationLink(baseUrl, token) },
  };
}
