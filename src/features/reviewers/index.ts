/** The public interface of reviewers. */
export { insertBuiltInReviewers } from './reviewer-store.ts';
