/** The public interface of the review engine. */
export { CHECKS } from './checks/index.ts';
export { fileClassOf } from './file-class.ts';
export { type Candidate, CLAIMS, type Claim, type JudgedCandidate } from './finding.ts';
export { findingKey, quoteSimilarity } from './finding-key.ts';
export { openGitReviewCode } from './git-review-code.ts';
export type { ReviewCode } from './review-code.ts';
export { DEFAULT_MAX_FINDINGS, type ReviewResult, runReview } from './run-review.ts';
export { toSarif } from './sarif.ts';
export { NoWorkingTree, openWorkingTree } from './working-tree.ts';
