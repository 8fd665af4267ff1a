/** Following and judging discussions off the main thread. */
export { runDiscussionWork } from './run-discussion-work.ts';
