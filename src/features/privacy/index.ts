/** The public interface of privacy: how long things are kept. */
export { deleteOldAuditEvents, deleteOldEvents, deleteOldPlannerSessions } from './old-row-store.ts';
