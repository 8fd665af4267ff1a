/** POST /api/v2/invitation-links: a link with which everyone who receives mail at a domain can ask for an invitation. */
import { defineOperation } from '../../../context.ts';
import { invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';
import { DAY_MS } from '../../../platform/core/text/durations.ts';
import { hashOf, newToken } from '../../../platform/core/text/secret-token.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf, recordAudit } from '../../audit/index.ts';
import { holdActivations, holdMembership } from '../../memberships/index.ts';
import { CreatedInvitationLink, CreateInvitationLinkInput, MAX_OPEN_LINKS } from '../contract.ts';
import { mayInvite } from '../members/member-rules.ts';
import { sessionGone } from '../sessions/start-session.ts';
import {
  countOpenLinks,
  insertInvitationLink,
  selectInvitationLink,
} from '../store/invitation-link-store.ts';
import { presentInvitationLink } from './present-invitation-link.ts';
import { isPublicMailDomain } from './public-mail-domains.ts';

const DEFAULT_DAYS = 7;
const DEFAULT_USES = 100;

export const createInvitationLink = defineOperation({
  name: 'create-invitation-link',
  group: 'People',
  summary: 'Create an invitation link for a domain',
  description:
    'Whoever opens the link enters an address at the domain and is mailed a personal invitation, which proves that the address is theirs. This needs a mail server (`SMTP_URL`).',
  http: { method: 'POST', path: '/api/v2/invitation-links', status: 201 },
  accepts: ['session'],
  role: 'admin',
  input: CreateInvitationLinkInput,
  output: CreatedInvitationLink,
  problems: ['conflict'],
  async run(context, { days = DEFAULT_DAYS, domain, maxUses = DEFAULT_USES, role = 'member' }) {
    const { actor, baseUrl, clock, db, settings } = context;
    if (isPublicMailDomain(domain))
      throw invalidRequest([
        { path: 'domain', message: 'is open to everyone; invite people by their addresses' },
      ]);
    if (!settings.mail) throw linkNeedsMail();
    const id = uuidv7();
    const token = newToken();
    const at = clock.now();
    return inTransaction(db, async (transaction) => {
      await holdActivations(transaction, actor.organizationId);
      const held = await holdMembership(transaction, actor);
      if (!held || !mayInvite(held, role)) throw sessionGone();
      if ((await countOpenLinks(transaction, actor.organizationId, at)) >= MAX_OPEN_LINKS)
        throw new Problem('conflict', `There are ${MAX_OPEN_LINKS} links already. Revoke one first.`);
      await insertInvitationLink(transaction, {
        ...{ id, organizationId: actor.organizationId, tokenHash: hashOf(token), domain, role, maxUses, at },
        ...{ createdBy: actor.userId, expiresAt: new Date(at.getTime() + days * DAY_MS) },
      });
      await recordAudit(transaction, callerOf(context), {
        action: 'invitation_link.created',
        subjectId: id,
        subjectName: domain,
        detail: { role, days, maxUses },
      });
      const row = (await selectInvitationLink(transaction, actor.organizationId, id))!;
      return { invitationLink: presentInvitationLink(row), link: `${baseUrl}/join#token=${token}` };
    });
  },
});

/** Without a mail, nobody could tell whether an address belongs to who entered it. */
export function linkNeedsMail(): Problem {
  return new Problem(
    'conflict',
    "This service doesn't send mail, which a link for a domain needs; the operator can set SMTP_URL.",
  );
}
