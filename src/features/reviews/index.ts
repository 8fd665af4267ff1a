/** The public interface of reviews. */

export { covers } from './covering-decision.ts';
export { decideByReaction, decideOnHost } from './decide-on-host.ts';
export { DECISION_FOLDER } from './decision-file.ts';
export { exportDecisions } from './export-decisions.ts';
export type { Decision } from './read-decisions.ts';
export { refreshReport } from './refresh-report.ts';
export {
  type EarlierFinding,
  type ReportOutcome,
  type ReportRun,
  type ReportServices,
  reportFinding,
} from './report-finding.ts';
export { parseDecisionFiles } from './repository-decisions.ts';
export { queueReviews, REVIEW_PULL_REQUEST, reviewPullRequest } from './review-pull-request.ts';
export { markReportSent, selectReport } from './review-report-store.ts';
