/** POST /api/v2/remote-fs/grep: the lines of a commit's files that match a regular expression, as one text. */
import type { z } from 'zod';
import { type Context, defineOperation } from '../../context.ts';
import type { FoundCode } from '../../platform/core/code-reader.ts';
import { invalidRequest, Problem } from '../../platform/core/errors.ts';
import { acceptPath } from './accept-path.ts';
import {
  GrepInput,
  GrepReply,
  MAX_GREP_BYTES,
  MAX_MATCHING_LINES,
  type SearchCodeInput,
} from './contract.ts';
import { openCommit } from './open-commit.ts';
import { writeGrepText } from './write-grep-text.ts';

export const grepCode = defineOperation({
  name: 'grep-code',
  group: 'Code',
  summary: 'Find lines by a regular expression',
  description:
    'Works at every branch, tag and commit, in time linear in what is searched. Binary files are skipped. At most 500 matching lines or 256 KiB come back; a last line in brackets says what was left out.',
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

type FindCodeInput = z.output<typeof SearchCodeInput>;

/** What the endpoint and the page have in common. */
export async function findCode(
  context: Context,
  { order = 'path', pattern, ...input }: FindCodeInput,
  { withRanges }: { withRanges: boolean },
): Promise<{ candidates: string[] } | (FoundCode & { commit: string })> {
  const path = acceptPath(input.path ?? '');
  const opened = await openCommit(context, input);
  if ('candidates' in opened) return opened;
  const limits = { maxLines: MAX_MATCHING_LINES, maxBytes: MAX_GREP_BYTES };
  const outcome = await opened.read('searchCode', { pattern, path, order, withRanges, ...limits });
  if (outcome.kind === 'bad_pattern') {
    throw invalidRequest([
      { path: 'pattern', message: `is not a valid regular expression: ${explainPattern(outcome.message)}` },
    ]);
  }
  if (outcome.kind === 'no_path') {
    throw new Problem('not_found', `There is no ${path} at this commit.`);
  }
  return { ...outcome, commit: opened.commit };
}

/** ripgrep offers options of its command line, which callers of ours do not have. */
function explainPattern(message: string): string {
  return /look-around|backreferences/.test(message)
    ? 'look-around and backreferences are not supported; search for a simpler pattern and filter the matches'
    : message;
}
