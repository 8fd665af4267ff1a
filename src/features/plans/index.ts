/** The public interface of plans. */

export { markPlansImplemented } from './changes/mark-plans-implemented.ts';
export { markAddressedComments } from './comments/mark-addressed-comments.ts';
export { reviewStateOf } from './status/review-state.ts';
export { linkNamedVersions } from './store/plan-repository-store.ts';
export { lockIdlePlans } from './store/plan-store.ts';
export { isApproved } from './store/review-store.ts';
