/** POST /api/v2/cross-repo/search: the architecture summaries that match keywords. */
import { defineOperation } from '../../../context.ts';
import { MAX_FOUND_SUMMARIES, SearchSummariesInput, SearchSummariesReply } from '../contract.ts';
import { findSummaries } from './find-summaries.ts';
import { presentSummary } from './present-summary.ts';

export const searchSummaries = defineOperation({
  name: 'search-summaries',
  group: 'Architecture',
  summary: 'Find repositories by what they do',
  description:
    'Searches the summaries of all repositories that you can see. Every repository has one for each of its domains, made from its code at the head of the default branch.',
  http: { method: 'POST', path: '/api/v2/cross-repo/search', status: 200 },
  accepts: ['key', 'session', 'oauth', 'mcp'],
  role: 'viewer',
  input: SearchSummariesInput,
  output: SearchSummariesReply,
  problems: [],
  example: {
    request: { keywords: ['invoice', 'pdf'], domains: ['API', 'BUSINESS_LOGIC'] },
    reply: {
      summaries: [
        {
          repoId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab',
          repoName: 'acme/billing',
          domain: 'API',
          summary:
            'acme/billing creates invoices and renders them as PDF. It serves 12 HTTP routes with Express: /invoices (8), /customers (4).',
        },
      ],
    },
  },
  async run({ actor, db }, { domains, keywords }) {
    const found = await findSummaries(db, actor, { keywords, domains, limit: MAX_FOUND_SUMMARIES });
    return { summaries: found.map(presentSummary) };
  },
});
