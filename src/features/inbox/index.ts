/** The public interface of the inbox. */
export { INBOX_KINDS, type InboxKind } from './contract.ts';
export { forgetSubject } from './delete-events-store.ts';
export { type InboxRow, selectInbox } from './inbox-store.ts';
export { notifyPeople } from './notify-people.ts';
