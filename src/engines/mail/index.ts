/** Sending mail over SMTP. The only place that knows the mail library. */
export { checkMailServer, type MailMessage, type MailOutcome, sendMail } from './send-mail.ts';
