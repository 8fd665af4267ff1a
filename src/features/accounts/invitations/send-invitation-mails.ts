/**
 * Sends the mails of invitations. Invariants: a mail is claimed by one worker, and the claim is committed before the message is
 * handed to the mail server; it is sent again only if the server certainly doesn't have it.
 */
import { type MailMessage, sendMail } from '../../../engines/mail/index.ts';
import { retryDelayMs } from '../../../platform/core/network/retry-delay.ts';
import type { MailServer } from '../../../platform/core/ports/mail-server.ts';
import type { SecretBox } from '../../../platform/core/ports/secret-box.ts';
import type { Log } from '../../../platform/core/telemetry/log.ts';
import type { Clock } from '../../../platform/core/text/clock.ts';
import { escapeHtml } from '../../../platform/core/text/escape-html.ts';
import { hashOf } from '../../../platform/core/text/secret-token.ts';
import type { Db } from '../../../platform/db/index.ts';
import {
  abandonInvitationMails,
  type ClaimedInvitation,
  claimInvitationMail,
  finishInvitationMail,
} from '../store/invitation-mail-store.ts';
import { invitationLink, invitationToken } from './invitation-token.ts';

/** A run ends after this time, so that a stopping service doesn't wait for long; the next one goes on. */
const RUN_MS = 20_000;

export interface InvitationMailServices {
  db: Db;
  mail: MailServer;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  baseUrl(): string;
}

export async function sendInvitationMails(services: InvitationMailServices, now: Date): Promise<void> {
  const { clock, db, log, mail } = services;
  await abandonInvitationMails(db, now);
  const started = performance.now();
  while (performance.now() - started < RUN_MS) {
    const claimed = await claimInvitationMail(db, clock.now());
    if (!claimed) return;
    const token = invitationToken(services.secrets, claimed.id);
    // After a change of the service's secret, the link can't be written again.
    if (!hashOf(token).equals(claimed.token_hash)) {
      await finishInvitationMail(db, claimed, { state: 'failed' });
      continue;
    }
    const outcome = await sendMail(mail, composeInvitation(claimed, services.baseUrl(), token));
    const delayMs =
      outcome.result === 'retry' ? retryDelayMs(claimed.mail_attempts, Math.random()) : undefined;
    if (outcome.result === 'sent' || outcome.result === 'unclear')
      await finishInvitationMail(db, claimed, { state: outcome.result });
    else if (delayMs === undefined) await finishInvitationMail(db, claimed, { state: 'failed' });
    else await finishInvitationMail(db, claimed, { dueAt: new Date(clock.now().getTime() + delayMs) });
    const level = outcome.result === 'sent' ? 'debug' : 'warn';
    log[level]({ invitationId: claimed.id, result: outcome.result }, 'attempted to mail an invitation');
    // The others would fail too.
    if (outcome.result !== 'sent' && outcome.serverFailed) return;
  }
}

function composeInvitation(invitation: ClaimedInvitation, baseUrl: string, token: string): MailMessage {
  const { email, expires_at, id, mail_attempts, role } = invitation;
  const organization = oneLine(invitation.organization);
  const link = invitationLink(baseUrl, token);
  const said = `${oneLine(invitation.inviter)} invited you to ${organization} on Countersign as ${role === 'admin' || role === 'owner' ? 'an' : 'a'} ${role}.`;
  const until = `The link works once, until ${expires_at.toISOString().slice(0, 10)}, and only for ${email}. If you didn't expect it, ignore this mail.`;
  return {
    to: { name: '', address: email },
    subject: `Join ${organization} on Countersign`,
    text: `${said}\n\nJoin: ${link}\n\n${until}\n`,
    html: `<!doctype html><html><body style="font-family:system-ui,sans-serif;font-size:14px;line-height:1.5"><p>${escapeHtml(said)}</p><p><a href="${escapeHtml(link)}">Join ${escapeHtml(organization)}</a></p><p style="font-size:12px;color:#666">${escapeHtml(until)}</p></body></html>`,
    messageId: `<invitation.${id}.${mail_attempts}@${new URL(baseUrl).hostname}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
