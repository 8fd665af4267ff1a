/** Background work of mail. */
import type { MailServer } from '../../platform/core/ports/mail-server.ts';
import type { Retention } from '../../platform/core/ports/retention.ts';
import { SECOND_MS } from '../../platform/core/text/durations.ts';
import { deleteOld, type TimedJob } from '../../platform/queue/index.ts';
import { deleteOldMails } from './mail-store.ts';
import { type MailServices, sendDueMails } from './send-due-mails.ts';

interface Services extends Omit<MailServices, 'mail'> {
  retention: Retention;
  /** Without it, no mail is sent. */
  mail?: MailServer | undefined;
}

export const mailJobs: TimedJob<Services>[] = [
  deleteOld('delete-old-mails', 'mails', deleteOldMails),
  {
    name: 'send-mails',
    everyMs: 10 * SECOND_MS,
    onChange: true,
    run: async (_db, now, { mail, ...services }) => mail && sendDueMails({ ...services, mail }, now),
  },
];
