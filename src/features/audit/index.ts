/** The public interface of the audit log. */
export {
  type AuditSource,
  callerOf,
  operatorOf,
  recordAudit,
  recordAuditInEach,
  visitorTo,
} from './record-audit.ts';
