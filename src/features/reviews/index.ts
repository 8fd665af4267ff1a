/** The public interface of reviews. */

export { decideByReaction, decideOnHost } from './decide-on-host.ts';
export { refreshReport } from './refresh-report.ts';
export {
  type EarlierFinding,
  type ReportOutcome,
  type ReportRun,
  type ReportServices,
  reportFinding,
} from './report-finding.ts';
export { queueReviews, REVIEW_PULL_REQUEST, reviewPullRequest } from './review-pull-request.ts';
export { markReportSent, selectReport } from './review-report-store.ts';
