/** POST /api/v2/remote-fs/search: the search of the grep endpoint, for the page: what stands where. */
import { defineOperation } from '../../context.ts';
import { SearchCodeInput, SearchCodeReply } from './contract.ts';
import { findCode } from './find-code.ts';

export const searchCode = defineOperation({
  name: 'search-code',
  group: 'Code',
  summary: 'Find lines, with what matched in them',
  http: { method: 'POST', path: '/api/v2/remote-fs/search', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: SearchCodeInput,
  output: SearchCodeReply,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, input) {
    const found = await findCode(context, input, { withRanges: true });
    if ('candidates' in found) return found;
    const { commit, files, leftOut, matchingLines } = found;
    return { commit, files, matchingLines, more: sentenceOf(leftOut) };
  },
});

function sentenceOf(parts: string[]): string | null {
  if (parts.length === 0) return null;
  const text = parts.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
