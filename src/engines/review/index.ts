/** The public interface of the review engine. */
export { CHECKS } from './checks/index.ts';
export { type FileClass, fileClassOf } from './code/file-class.ts';
export { type GitReviewCode, openGitReviewCode } from './code/git-review-code.ts';
export { matchPaths } from './code/match-paths.ts';
export { NoWorkingTree, openWorkingTree } from './code/working-tree.ts';
export { createReviewWork, type ReviewWork } from './create-review-work.ts';
export { findingKey } from './finding-key.ts';
export { createHider, createMasker, MASK, maskText, maskTexts, maskValue } from './masking/mask-secrets.ts';
export { checkWithAstGrep } from './rules/check-with-ast-grep.ts';
export { matchRules } from './rules/match-rules.ts';
export { makeRuleChecks } from './rules/rule-checks.ts';
export { runReview } from './run-review.ts';
export {
  type ComparedFinding,
  type FindingCause,
  isSameCause,
  isSameFinding,
  isSamePlace,
  namesCause,
  repeats,
  strengthOf,
} from './same-cause.ts';
export { toSarif } from './sarif.ts';
