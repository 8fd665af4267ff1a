/** The public interface of plans. */
export { markAddressedComments } from './mark-addressed-comments.ts';
export { markPlansImplemented } from './mark-plans-implemented.ts';
export { linkNamedVersions } from './plan-repository-store.ts';
export { lockIdlePlans } from './plan-store.ts';
export { reviewStateOf } from './review-state.ts';
export { isApproved } from './review-store.ts';
