/** The public interface of commit statuses. */
export {
  SetCommitStatus,
  SetCommitStatusInput,
  STATUS_LIMITS,
  type StatusState,
} from './contract.ts';
export { presentStatus } from './present-status.ts';
export {
  type CommitOfRepository,
  lockStatusesOf,
  type NewStatus,
  type StatusRow,
  selectKeyName,
  selectPullRequestsOfHead,
  selectStatuses,
  upsertStatuses,
} from './status-store.ts';
