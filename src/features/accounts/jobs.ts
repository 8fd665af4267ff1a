/** Background work of accounts. */

import type { MailServer } from '../../platform/core/ports/mail-server.ts';
import { HOUR_MS, SECOND_MS } from '../../platform/core/text/durations.ts';
import type { TimedJob } from '../../platform/queue/index.ts';
import { type InvitationMailServices, sendInvitationMails } from './invitations/send-invitation-mails.ts';
import { deleteOldAttempts } from './sessions/sign-in-attempt-store.ts';
import { deleteExpiredSessions } from './store/session-store.ts';

interface Services extends Omit<InvitationMailServices, 'mail'> {
  /** Without it, no mail is sent. */
  mail?: MailServer | undefined;
}

export const accountJobs: TimedJob<Services>[] = [
  { name: 'delete-expired-sessions', everyMs: HOUR_MS, run: deleteExpiredSessions },
  { name: 'delete-old-sign-in-attempts', everyMs: HOUR_MS, run: deleteOldAttempts },
  {
    name: 'send-invitation-mails',
    everyMs: 5 * SECOND_MS,
    run: async (_db, now, { mail, ...services }) => mail && sendInvitationMails({ ...services, mail }, now),
  },
];
