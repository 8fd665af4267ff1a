/** The inbox's door. */
export { getUnreadCount } from './get-unread-count.ts';
export { listInbox } from './list-inbox.ts';
export { markInboxRead } from './mark-inbox-read.ts';
export { notifyPeople } from './notify-people.ts';
