/** The public interface of architecture. */
export { DESCRIBE_REPOSITORY, describeRepository, queueDescriptions } from './describe-repository.ts';
export { factRows } from './fact-row.ts';
export { replaceFacts } from './fact-store.ts';
export { findNeighbours } from './find-neighbours.ts';
export { findSummaries } from './find-summaries.ts';
export { matchesOf } from './matching-names.ts';
export type { CodeToDescribe } from './summarize/described-code.ts';
export { summarize } from './summarize/summarize.ts';
export { summaryRow } from './summary-row.ts';
export { replaceSummaries } from './summary-store.ts';
export {
  type LostName,
  selectLostEverywhere,
  selectUndescribed,
  selectUsesElsewhere,
  type UseElsewhere,
} from './use-store.ts';
