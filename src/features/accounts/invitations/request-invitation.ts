/**
 * POST /api/v2/invitation-links/request: mails a personal invitation to an address at the domain of a link. The reply is the same for
 * members, so that nobody learns who is one.
 */
import { definePublicOperation, type PublicContext } from '../../../context.ts';
import { invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';
import { MINUTE_MS } from '../../../platform/core/text/durations.ts';
import { hashOf } from '../../../platform/core/text/secret-token.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { anonymousSource, recordAudit } from '../../audit/index.ts';
import { RequestedInvitation, RequestInvitationInput } from '../contract.ts';
import { countAttempt } from '../sessions/sign-in-attempt-store.ts';
import { singleSignOnRequired } from '../sessions/start-session.ts';
import { isSingleSignOnOnly, memberHasEmail } from '../store/account-store.ts';
import { countUse, selectOpenLink } from '../store/invitation-link-store.ts';
import { mailAgain } from '../store/invitation-mail-store.ts';
import { insertInvitation, selectInvitationByLink } from '../store/invitation-store.ts';
import { linkNeedsMail } from './create-invitation-link.ts';
import { INVITATION_LIFE_MS } from './invitation-life.ts';
import { invitationToken } from './invitation-token.ts';
import { linkInvalid } from './open-invitation.ts';

/** Nobody is mailed more often, whoever holds the link. */
const MAIL_AGAIN_AFTER_MS = 10 * MINUTE_MS;

type OpenLink = NonNullable<Awaited<ReturnType<typeof selectOpenLink>>>;

export const requestInvitation = definePublicOperation({
  name: 'request-invitation',
  group: 'Accounts',
  summary: 'Ask for an invitation with a link for a domain',
  description:
    'Mails a personal invitation to an address at the domain of the link, at most every ten minutes. Nothing is sent to members; the response is the same. Limited like sign-in attempts.',
  http: { method: 'POST', path: '/api/v2/invitation-links/request', status: 200 },
  input: RequestInvitationInput,
  output: RequestedInvitation,
  problems: ['not_found', 'conflict', 'single_sign_on_required'],
  async run(context, { email, token }) {
    const { client, clock, db, settings } = context;
    const found = await selectOpenLink(db, hashOf(token), clock.now());
    if (!found) throw linkInvalid();
    // Counted apart from sign-in attempts on the same address, which nobody can use up with a link.
    const attempt = { email: `invitation ${email}`, address: client.address, deviceId: undefined };
    await countAttempt(db, attempt, clock.now());
    if (!email.endsWith(`@${found.domain}`))
      throw invalidRequest([{ path: 'email', message: `must be an address at ${found.domain}` }]);
    if (await isSingleSignOnOnly(db, found.organization_id)) throw singleSignOnRequired('This organization');
    if (!settings.mail) throw linkNeedsMail();
    await inTransaction(db, async (transaction) => {
      // Locked, so that no more addresses are invited than the link allows.
      const link = await selectOpenLink(transaction, hashOf(token), clock.now(), { lock: true });
      if (!link) throw linkInvalid();
      await inviteByLink(context, transaction, link, email);
    });
    return { email };
  },
});

async function inviteByLink(context: PublicContext, db: Db, link: OpenLink, email: string): Promise<void> {
  const now = context.clock.now();
  if (await memberHasEmail(db, link.organization_id, email)) return;
  const pending = await selectInvitationByLink(db, link.id, email, now);
  if (pending) {
    await mailAgain(db, pending.id, new Date(now.getTime() - MAIL_AGAIN_AFTER_MS), now);
    return;
  }
  if (link.uses >= link.max_uses)
    throw new Problem('conflict', 'This link has been used up. Ask an admin for an invitation.');
  const id = uuidv7();
  await insertInvitation(db, {
    ...{ id, organizationId: link.organization_id, email, role: link.role, linkId: link.id },
    ...{ tokenHash: hashOf(invitationToken(context.secrets, id)), invitedBy: link.created_by },
    ...{ at: now, expiresAt: new Date(now.getTime() + INVITATION_LIFE_MS), isMailed: true },
  });
  await countUse(db, link.id);
  await recordAudit(db, anonymousSource(context, link.organization_id, null), {
    action: 'invitation.created',
    subjectId: id,
    subjectName: email,
    detail: { role: link.role, link: link.domain },
  });
}
