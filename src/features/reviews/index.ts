/** The public interface of reviews. */

export { covers } from './decisions/covering-decision.ts';
export { decideByReaction, decideOnHost } from './decisions/decide-on-host.ts';
export { DECISION_FOLDER } from './decisions/decision-file.ts';
export { exportDecisions } from './decisions/export-decisions.ts';
export type { Decision } from './decisions/read-decisions.ts';
export { parseDecisionFiles } from './decisions/repository-decisions.ts';
export { refreshReport } from './publishing/refresh-report.ts';
export { markReportSent, selectReport } from './publishing/review-report-store.ts';
export {
  answerReport,
  type EarlierFinding,
  type ReportOutcome,
  type ReportRun,
  type ReportServices,
} from './runs/answer-report.ts';
