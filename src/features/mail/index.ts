/** The public interface of mail. */
export { mailInboxItems, mailMaker } from './make-mails.ts';
export { sendDueMails } from './send-due-mails.ts';
