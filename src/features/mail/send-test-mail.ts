/** POST /api/v2/mail-settings/test: sends a mail to the caller, now. */
import { randomUUID } from 'node:crypto';
import { defineOperation } from '../../context.ts';
import { sendMail } from '../../engines/mail/index.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import { SendTestMailInput, SentTestMail } from './contract.ts';
import { selectRecipient } from './mail-store.ts';

export const sendTestMail = defineOperation({
  name: 'send-test-mail',
  group: 'Inbox',
  summary: 'Send yourself a test mail',
  http: { method: 'POST', path: '/api/v2/mail-settings/test', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: SendTestMailInput,
  output: SentTestMail,
  problems: ['conflict', 'unavailable'],
  async run({ actor, baseUrl, db, settings }) {
    if (!settings.mail) {
      throw new Problem('conflict', "This service doesn't send mail; the operator can set SMTP_URL.");
    }
    const { email, name } = (await selectRecipient(db, actor))!;
    const text = 'Mail from Countersign reaches you.';
    const outcome = await sendMail(settings.mail, {
      to: { name, address: email },
      subject: 'Test message from Countersign',
      text: `${text}\n${baseUrl}\n`,
      html: `<p>${text}</p><p><a href="${baseUrl}">${baseUrl}</a></p>`,
      messageId: `<test.${randomUUID()}@${new URL(baseUrl).hostname}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    if (outcome.result !== 'sent') {
      throw new Problem('unavailable', `The mail server didn't accept the message: ${outcome.note}`);
    }
    return { address: email };
  },
});
