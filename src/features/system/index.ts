/** The public interface of the state of the installation. */
export type { CheckedHost, CheckResult } from './host-check.ts';
export { hostChecks, runCheck } from './host-checks.ts';
