/** The public interface of the audit log. */
export {
  type AuditSource,
  anonymousSource,
  callerOf,
  operatorOf,
  recordAudit,
  recordAuditInEach,
  serviceOf,
} from './record-audit.ts';
