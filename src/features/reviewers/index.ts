/** The public interface of reviewers. */
export { BUILT_IN_KEYS, builtInReviewer } from './built-in-reviewers.ts';
export { exportReviewers } from './export-reviewers.ts';
export { readFrontMatter } from './front-matter.ts';
export { importReviewers } from './import-reviewers.ts';
export { listMarkdownFiles } from './list-markdown-files.ts';
export {
  type InstructionReviewer,
  type LoadedReviewers,
  loadReviewers,
  storeReviewers,
} from './load-reviewers.ts';
export { parseRepositoryFiles, REVIEWER_FOLDER } from './repository-reviewers.ts';
export { selectReviewers } from './reviewer-list-store.ts';
export { insertBuiltInReviewers } from './reviewer-store.ts';
export { findTriedReviewer, loadReviewerVersion } from './tried-reviewer.ts';
