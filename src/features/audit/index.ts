/** The public interface of the audit log. */
export { exportAuditEvents } from './export-audit-events.ts';
export { listAuditEvents } from './list-audit-events.ts';
export {
  type AuditSource,
  callerOf,
  operatorOf,
  recordAudit,
  recordAuditInEach,
  visitorTo,
} from './record-audit.ts';
