/** POST /api/v2/remote-fs/search: the same search as grep, with structured results for the web app. */
import { defineOperation } from '../../context.ts';
import { SearchCodeInput, SearchCodeReply } from './contract.ts';
import { findCode } from './find-code.ts';
import { describeIncomplete, sentenceOf } from './write-grep-text.ts';

export const searchCode = defineOperation({
  name: 'search-code',
  group: 'Code',
  summary: 'Search code with match positions',
  http: { method: 'POST', path: '/api/v2/remote-fs/search', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: SearchCodeInput,
  output: SearchCodeReply,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, input) {
    const found = await findCode(context, input, { withRanges: true });
    if ('candidates' in found) return found;
    const { commit, definitionsFirst, files, matchingLines, moreLines, notSearched, total } = found;
    return {
      commit,
      files,
      matchingLines,
      total,
      definitionsFirst,
      moreLines,
      notSearched: sentenceOf(notSearched),
      more: sentenceOf(describeIncomplete(found)),
    };
  },
});
