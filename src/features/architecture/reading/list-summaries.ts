/** GET /api/v2/architecture/summaries: the summaries of all repositories that the caller can see. */
import { defineOperation } from '../../../context.ts';
import { cutPage, DEFAULT_LIMIT, readCursor } from '../../../platform/core/operations/page.ts';
import { DOMAIN_CHARACTERS, ListSummariesInput, SummaryPage } from '../contract.ts';
import { selectSummaries } from '../describe/summary-store.ts';
import { presentDescribedSummary } from '../find/present-summary.ts';

const NAME_CHARACTERS = 300;

export const listSummaries = defineOperation({
  name: 'list-summaries',
  group: 'Architecture',
  summary: 'List summaries',
  description: 'By repository and domain, with the places in the code that show each sentence.',
  http: { method: 'GET', path: '/api/v2/architecture/summaries', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListSummariesInput,
  output: SummaryPage,
  problems: [],
  async run({ actor, db }, { cursor, domain, limit = DEFAULT_LIMIT }) {
    const last = readCursor(cursor, [
      (name) => name.length <= NAME_CHARACTERS,
      (name) => name.length <= DOMAIN_CHARACTERS,
    ]);
    const rows = await selectSummaries(db, actor, {
      domain: domain?.toUpperCase(),
      after: last && { foldedName: last[0]!, domain: last[1]! },
      limit: limit + 1,
    });
    const { nextCursor, page } = cutPage(rows, limit, (row) => [row.foldedName, row.domain]);
    return { summaries: page.map(presentDescribedSummary), nextCursor };
  },
});
