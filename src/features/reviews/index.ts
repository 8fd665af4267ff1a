/** The public interface of reviews. */
export {
  type EarlierFinding,
  type ReportOutcome,
  type ReportRun,
  type ReportServices,
  reportFinding,
} from './report-finding.ts';
export { queueReviews, REVIEW_PULL_REQUEST, reviewPullRequest } from './review-pull-request.ts';
