/** The public interface of architecture. */

export { summaryRow } from './summary-row.ts';
export { replaceSummaries } from './summary-store.ts';
