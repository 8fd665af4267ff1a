/** The public interface of reviewers. */
export { BUILT_IN_KEYS, builtInReviewer } from './built-in-reviewers.ts';
export { importReviewers } from './editing/import-reviewers.ts';
export { exportReviewers } from './files/export-reviewers.ts';
export { readFrontMatter } from './files/front-matter.ts';
export { listMarkdownFiles } from './files/list-markdown-files.ts';
export { parseRepositoryFiles, REVIEWER_FOLDER } from './files/repository-reviewers.ts';
export {
  type InstructionReviewer,
  type LoadedReviewers,
  loadReviewers,
  storeReviewers,
} from './loading/load-reviewers.ts';
export { findTriedReviewer, loadReviewerVersion } from './loading/tried-reviewer.ts';
export { selectReviewers } from './store/reviewer-list-store.ts';
export { insertBuiltInReviewers } from './store/reviewer-store.ts';
