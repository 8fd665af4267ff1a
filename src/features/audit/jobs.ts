/** Background work of the audit log. */
import { deleteOld } from '../../platform/queue/index.ts';
import { deleteOldAuditEvents } from './audit-store.ts';

export const auditJobs = [deleteOld('delete-old-audit-events', 'auditEvents', deleteOldAuditEvents)];
