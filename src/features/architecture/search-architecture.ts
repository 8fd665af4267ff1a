/** POST /api/v2/architecture/search: the same search with the evidence for each sentence, for pages and agents. */
import { defineOperation } from '../../context.ts';
import { SearchArchitectureReply, SearchSummariesInput } from './contract.ts';
import { findMatchingSummaries } from './find-matching-summaries.ts';
import { presentDescribedSummary } from './present-summary.ts';

export const searchArchitecture = defineOperation({
  name: 'search-architecture',
  group: 'Architecture',
  summary: 'Find repositories by what they do, with evidence',
  description:
    'The same search as `POST /api/v2/cross-repo/search`. Each sentence comes with the places in the code that show it.',
  http: { method: 'POST', path: '/api/v2/architecture/search', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: SearchSummariesInput,
  output: SearchArchitectureReply,
  problems: [],
  async run(context, input) {
    const found = await findMatchingSummaries(context, input);
    return { summaries: found.map(presentDescribedSummary) };
  },
});
