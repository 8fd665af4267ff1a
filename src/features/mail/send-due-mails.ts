/**
 * Sends the mails that are due. Invariants: a mail is claimed by one worker, and the claim is committed before the message is
 * handed to the mail server; it is sent again only if the server certainly doesn't have it; it contains only what the
 * person can see at that moment.
 */
import { type MailOutcome, sendMail } from '../../engines/mail/index.ts';
import { retryDelayMs } from '../../platform/core/network/retry-delay.ts';
import type { MailServer } from '../../platform/core/ports/mail-server.ts';
import type { SecretBox } from '../../platform/core/ports/secret-box.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import type { Clock } from '../../platform/core/text/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { selectInbox } from '../inbox/index.ts';
import { composeMail } from './compose-mail.ts';
import { MAX_DIGEST_ITEMS } from './contract.ts';
import {
  abandonInterrupted,
  type ClaimedMail,
  claimMail,
  finishMail,
  selectFrequencies,
  selectRecipient,
} from './mail-store.ts';
import { frequencyOf } from './mail-topics.ts';
import { unsubscribeToken } from './unsubscribe-token.ts';

/** A run ends after this time, so that a stopping service doesn't wait for long; the next one goes on. */
const RUN_MS = 20_000;

export interface MailServices {
  db: Db;
  mail: MailServer;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  baseUrl(): string;
}

export async function sendDueMails(services: MailServices, now: Date): Promise<void> {
  const { clock, db } = services;
  await abandonInterrupted(db, now);
  const started = performance.now();
  while (performance.now() - started < RUN_MS) {
    const claimed = await claimMail(db, clock.now());
    if (!claimed) return;
    const outcome = await sendOne(services, claimed);
    // The others would fail too.
    if (outcome && outcome.result !== 'sent' && outcome.serverFailed) return;
  }
}

async function sendOne(services: MailServices, claimed: ClaimedMail): Promise<MailOutcome | undefined> {
  const { db, log, mail } = services;
  const message = await compose(services, claimed);
  if (!message) {
    await finishMail(db, claimed, { state: 'skipped' });
    return undefined;
  }
  const outcome = await sendMail(mail, message);
  await finishMail(db, claimed, endOf(outcome, claimed.attempts, services.clock.now()));
  // Without the server's words, which may contain addresses.
  const level = outcome.result === 'sent' ? 'debug' : 'warn';
  log[level](
    { mailId: claimed.id, attempts: claimed.attempts, result: outcome.result },
    'attempted to send a mail',
  );
  return outcome;
}

/** Undefined if there is nothing to tell: no longer a member, not visible, already read, or no longer wanted. */
async function compose({ baseUrl, db, secrets }: MailServices, claimed: ClaimedMail) {
  const person = { organizationId: claimed.organization_id, userId: claimed.user_id };
  const recipient = await selectRecipient(db, person);
  if (!recipient) return undefined;
  const frequencies = await selectFrequencies(db, person);
  const rows = await selectInbox(
    db,
    { ...person, role: recipient.role },
    { unread: true, itemIds: claimed.item_ids, limit: MAX_DIGEST_ITEMS },
  );
  const items = rows.filter(({ kind }) => frequencyOf(kind, frequencies) !== 'off').reverse();
  if (items.length === 0) return undefined;
  return composeMail({
    id: claimed.id,
    digest: claimed.digest,
    to: { name: recipient.name, address: recipient.email },
    organization: recipient.organization,
    items,
    baseUrl: baseUrl(),
    unsubscribeToken: unsubscribeToken(secrets, person),
  });
}

function endOf(outcome: MailOutcome, attempts: number, now: Date): Parameters<typeof finishMail>[2] {
  if (outcome.result === 'sent') return { state: 'sent' };
  const { note, result } = outcome;
  if (result === 'unclear') return { state: 'unclear', note };
  const delayMs = result === 'retry' ? retryDelayMs(attempts, Math.random()) : undefined;
  return delayMs === undefined
    ? { state: 'failed', note }
    : { dueAt: new Date(now.getTime() + delayMs), note };
}
