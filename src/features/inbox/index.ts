/** The public interface of the inbox. */
export { INBOX_KINDS, type InboxKind } from './contract.ts';
export { forgetSubject } from './delete-events-store.ts';
export { type InboxRow, insertInboxItems, selectInbox } from './inbox-store.ts';
export { type NamedInText, namedInTexts } from './named-in-texts.ts';
export { notifyPeople } from './notify-people.ts';
