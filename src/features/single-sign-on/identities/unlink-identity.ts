/** DELETE /api/v2/members/:userId/identity: unlinks an account from the provider, your own or, as an admin, another member's. */
import { defineOperation } from '../../../context.ts';
import { notFound, Problem } from '../../../platform/core/errors/errors.ts';
import { hasRole } from '../../../platform/core/operations/actor.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { isSingleSignOnOnly, isSingleSignOnSession, updateMembershipAccess } from '../../accounts/index.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import { syncProviderTeams } from '../../teams/index.ts';
import { UnlinkIdentityInput } from '../contract.ts';
import { deleteIdentityOf, lockMembership } from './identity-store.ts';

export const unlinkIdentity = defineOperation({
  name: 'unlink-identity',
  group: 'Single sign-on',
  summary: 'Unlink an account from single sign-on',
  description:
    'Ends the sessions that were started with it. A member who was suspended by single sign-on gets access again, with their password and API keys.',
  http: { method: 'DELETE', path: '/api/v2/members/:userId/identity', status: 204 },
  accepts: ['session'],
  role: 'viewer',
  input: UnlinkIdentityInput,
  output: null,
  problems: ['forbidden', 'not_found', 'conflict'],
  async run(context, { userId }) {
    const { actor, clock, db } = context;
    const isOwn = userId === actor.userId;
    if (!isOwn && !hasRole(actor.role, 'admin')) throw notFound('The linked account');
    const owner = { organizationId: actor.organizationId, userId };
    await inTransaction(db, async (transaction) => {
      const membership = await lockMembership(transaction, owner);
      if (!membership) throw notFound('The member');
      if (membership.role === 'owner' && actor.role !== 'owner') {
        throw new Problem('forbidden', 'Only an owner can unlink an owner.');
      }
      if (isOwn && (await isSingleSignOnOnly(transaction, owner.organizationId))) {
        throw new Problem(
          'conflict',
          'This organization requires single sign-on, so you need the link to sign in.',
        );
      }
      if (isOwn && (await isSingleSignOnSession(transaction, actor.credentialId))) {
        throw new Problem('conflict', 'You signed in with this link. Sign in with your password first.');
      }
      if (!(await deleteIdentityOf(transaction, owner))) throw notFound('The linked account');
      await syncProviderTeams(transaction, owner, [], clock.now());
      await updateMembershipAccess(transaction, owner, { suspended_at: null, identity_link_until: null });
      await recordAudit(transaction, callerOf(context), {
        action: 'single_sign_on.unlinked',
        subjectId: userId,
        subjectName: membership.name,
      });
    });
  },
});
