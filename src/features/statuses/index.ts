/** The public interface of commit statuses. */
export {
  SetCommitStatus,
  SetCommitStatusInput,
  STATUS_LIMITS,
  type StatusState,
} from './contract.ts';
export { isStatusNamed, nameWithAccount } from './host-status-name.ts';
export { presentStatus } from './present-status.ts';
export {
  type CommitOfRepository,
  deleteStatuses,
  lockStatusesOf,
  type NewStatus,
  type StatusRow,
  selectKeyName,
  selectPullRequestsOfHead,
  selectStatuses,
  upsertStatuses,
} from './status-store.ts';
