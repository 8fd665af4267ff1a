/** Idempotency's door. */
export { deleteOldReplies, runOnce } from './run-once.ts';
