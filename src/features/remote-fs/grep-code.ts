/** POST /api/v2/remote-fs/grep: the lines of a commit's files that match a regular expression, as one text. */
import { defineOperation } from '../../context.ts';
import { GrepInput, GrepReply } from './contract.ts';
import { findCode } from './find-code.ts';
import { writeGrepText } from './write-grep-text.ts';

export const grepCode = defineOperation({
  name: 'grep-code',
  group: 'Code',
  summary: 'Search code by regular expression',
  description:
    'Works at every branch, tag and commit, in linear time. Binary files are skipped. Returns at most 500 matching lines or 256 KiB; if the results are incomplete, a last line in brackets says why.',
  http: { method: 'POST', path: '/api/v2/remote-fs/grep', status: 200 },
  accepts: ['key', 'session', 'oauth', 'mcp'],
  role: 'viewer',
  input: GrepInput,
  output: GrepReply,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  example: {
    request: { repository: 'acme/api', pattern: 'retry\\(', path: 'src' },
    reply: { text: 'src/retry.ts\n12:export function retry(work: Work) {\n' },
  },
  async run(context, input) {
    const found = await findCode(context, input, { withRanges: false });
    return 'candidates' in found ? found : { text: writeGrepText(found) };
  },
});
