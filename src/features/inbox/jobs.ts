/** Background work of the inbox. */
import { deleteOld } from '../../platform/queue/index.ts';
import { deleteOldEvents } from './delete-events-store.ts';
import { deleteOldMentions } from './mention-store.ts';

export const inboxJobs = [
  deleteOld('delete-old-events', 'events', deleteOldEvents),
  deleteOld('delete-old-mentions', 'events', deleteOldMentions),
];
