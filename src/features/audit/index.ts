/** The audit log's door. */
export { listAuditEvents } from './list-audit-events.ts';
export {
  type AuditSource,
  callerOf,
  operatorOf,
  recordAudit,
  recordAuditInEach,
  visitorTo,
} from './record-audit.ts';
