/** The public interface of the review engine. */
export { CHECKS } from './checks/index.ts';
export { createReviewWork, type ReviewWork } from './create-review-work.ts';
export { type FileClass, fileClassOf } from './file-class.ts';
export { findingKey } from './finding-key.ts';
export { type GitReviewCode, openGitReviewCode } from './git-review-code.ts';
export { createHider, createMasker, maskText, maskTexts, maskValue } from './mask-secrets.ts';
export { matchPaths } from './match-paths.ts';
export { checkWithAstGrep } from './rules/check-with-ast-grep.ts';
export { matchRules } from './rules/match-rules.ts';
export { makeRuleChecks } from './rules/rule-checks.ts';
export { DEFAULT_MAX_FINDINGS, runReview } from './run-review.ts';
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
export { NoWorkingTree, openWorkingTree } from './working-tree.ts';
