/** The public interface of the audit log. */
export { clearPerson } from './audit-store.ts';
export {
  type AuditSource,
  anonymousSource,
  callerOf,
  operatorOf,
  recordAudit,
  recordAuditInEach,
  serviceOf,
} from './record-audit.ts';
