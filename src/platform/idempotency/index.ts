/** The public interface of idempotency. */
export { deleteOldReplies, runOnce } from './run-once.ts';
