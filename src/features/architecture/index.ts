/** The public interface of architecture. */
export { replaceCodeWords } from './describe/code-word-store.ts';
export { codeWords } from './describe/code-words.ts';
export { factRows } from './describe/fact-row.ts';
export { replaceFacts } from './describe/fact-store.ts';
export type { CodeToDescribe } from './describe/summarize/described-code.ts';
export { summarize } from './describe/summarize/summarize.ts';
export { summaryRow } from './describe/summary-row.ts';
export { replaceSummaries } from './describe/summary-store.ts';
export { findSummaries } from './find/find-summaries.ts';
export { findNeighbours } from './uses/find-neighbours.ts';
export { matchesOf } from './uses/matching-names.ts';
export {
  type LostName,
  selectLostEverywhere,
  selectUndescribed,
  selectUsesElsewhere,
  type UseElsewhere,
} from './uses/use-store.ts';
