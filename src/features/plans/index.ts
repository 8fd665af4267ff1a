/** The public interface of plans. */
export { markAddressedComments } from './mark-addressed-comments.ts';
export { linkNamedVersions } from './plan-repository-store.ts';
export { lockIdlePlans } from './plan-store.ts';
