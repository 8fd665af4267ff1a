/** The public interface of reviews. */
export { queueReviews, REVIEW_PULL_REQUEST, reviewPullRequest } from './review-pull-request.ts';
