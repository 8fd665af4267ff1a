/** The public interface of plans. */
export { markAddressedComments } from './mark-addressed-comments.ts';
export { createPlanEventOutbox, type OutboxEvent, type PlanEventHandler } from './plan-event-outbox.ts';
export { linkNamedVersions } from './plan-repository-store.ts';
