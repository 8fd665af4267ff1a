/** The public interface of the state of the installation. */
export { deleteJobsOf } from './delete-jobs-of.ts';
export type { CheckedHost, CheckResult } from './host-check.ts';
export { hostChecks, runCheck } from './host-checks.ts';
export { oldGitProblem, programVersion } from './program-version.ts';
export { selectNodes, selectQueues } from './system-store.ts';
