/** Addressed: whether a change of the code answers a review comment. */
export { judgeAddressed } from './judge-addressed.ts';
export { findObjection } from './objections.ts';
export type { AnsweringHunk, Judgment, OtherHunk, Reply, ReviewThread } from './thread.ts';
