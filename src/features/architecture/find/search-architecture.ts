/** POST /api/v2/architecture/search: the same search with the evidence for each sentence, for pages and agents. */
import { defineOperation } from '../../../context.ts';
import { DOMAINS, MAX_FOUND_SUMMARIES, SearchArchitectureReply, SearchSummariesInput } from '../contract.ts';
import { findEvidence, unknownDomains } from './find-summaries.ts';
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
  async run({ actor, db }, { domains, keywords }) {
    const found = await findEvidence(db, actor, { keywords, domains, limit: MAX_FOUND_SUMMARIES });
    return {
      summaries: found.map(presentDescribedSummary),
      unknownDomains: unknownDomains(domains),
      knownDomains: [...DOMAINS],
    };
  },
});
