/** The public interface of mail. */
export { mailMaker } from './make-mails.ts';
export { sendDueMails } from './send-due-mails.ts';
