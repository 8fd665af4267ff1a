/** POST /api/v2/members/:userId/identity-link: lets a member link by email address at their next single sign-on. */
import { defineOperation } from '../../../context.ts';
import { notFound, Problem } from '../../../platform/core/errors/errors.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { updateMembershipAccess } from '../../accounts/index.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import { AllowedIdentityLink, AllowIdentityLinkInput } from '../contract.ts';
import { isMemberElsewhere, lockMembership } from './identity-store.ts';

const DAYS_7_MS = 7 * 24 * 60 * 60 * 1000;

export const allowIdentityLink = defineOperation({
  name: 'allow-identity-link',
  group: 'Single sign-on',
  summary: 'Allow a member to link by email address',
  description:
    'For seven days, someone who signs in at the provider with the verified email address of this member gets their account, once. Not for members of several organizations; only owners can allow it for an owner.',
  http: { method: 'POST', path: '/api/v2/members/:userId/identity-link', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: AllowIdentityLinkInput,
  output: AllowedIdentityLink,
  problems: ['forbidden', 'not_found', 'conflict'],
  async run(context, { userId }) {
    const { actor, clock, db } = context;
    const owner = { organizationId: actor.organizationId, userId };
    return inTransaction(db, async (transaction) => {
      const membership = await lockMembership(transaction, owner);
      if (!membership || membership.deactivated_at !== null) throw notFound('The member');
      if (membership.role === 'owner' && actor.role !== 'owner') {
        throw new Problem('forbidden', 'Only an owner can allow this for an owner.');
      }
      // The provider of one organization must not open an account that belongs to others as well.
      if (await isMemberElsewhere(transaction, owner)) {
        throw new Problem(
          'conflict',
          `${membership.name} is a member of another organization too, and must link the account themselves: sign in with the password, then open Settings → Account.`,
        );
      }
      const until = new Date(clock.now().getTime() + DAYS_7_MS);
      await updateMembershipAccess(transaction, owner, { identity_link_until: until });
      await recordAudit(transaction, callerOf(context), {
        action: 'single_sign_on.link_allowed',
        subjectId: userId,
        subjectName: membership.name,
      });
      return { until: until.toISOString() };
    });
  },
});
