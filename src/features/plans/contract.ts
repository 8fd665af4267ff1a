/** The shapes and limits of the plan operations, by topic. */
export * from './contract/comment-contract.ts';
export {
  ACTIVE_PULL_REQUEST_STATES,
  LIMITS,
  Person,
  PLAN_STATUSES,
  type PlanStatus,
  PULL_REQUEST_STATES,
  type PullRequestState,
  TokensUsed,
} from './contract/contract-fields.ts';
export * from './contract/event-contract.ts';
export * from './contract/plan-contract.ts';
export * from './contract/review-contract.ts';
export * from './contract/version-contract.ts';
