/** The public interface of mail. */
export { deleteOldMails } from './mail-store.ts';
export { mailMaker } from './make-mails.ts';
export { sendDueMails } from './send-due-mails.ts';
