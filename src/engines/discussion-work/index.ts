/** Following and judging discussions off the main thread. */
export { createDiscussionThread } from './run-discussion-work.ts';
