/** The public interface of the review engine. */
export { CHECKS } from './checks/index.ts';
export { createReviewWork, type ReviewWork } from './create-review-work.ts';
export { openGitReviewCode } from './git-review-code.ts';
export { DEFAULT_MAX_FINDINGS, runReview } from './run-review.ts';
export { toSarif } from './sarif.ts';
export { NoWorkingTree, openWorkingTree } from './working-tree.ts';
