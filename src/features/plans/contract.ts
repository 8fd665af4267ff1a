/** The shapes and limits of the plan operations, by topic. */
export * from './comment-contract.ts';
export { LIMITS, Person, PLAN_STATUSES, type PlanStatus, TokensUsed } from './contract-fields.ts';
export * from './event-contract.ts';
export * from './plan-contract.ts';
export * from './review-contract.ts';
export * from './version-contract.ts';
