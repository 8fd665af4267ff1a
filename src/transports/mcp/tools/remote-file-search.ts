/** remote_file_search: the files of a repository whose paths match a glob. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import {
  CANDIDATES_NEXT,
  isCandidates,
  RECORD,
  readCode,
  sessionArguments,
  sessionWarning,
} from '../code-tool.ts';
import { ours } from '../text/marking.ts';
import { moreSentence, openPage, PAGE_ARGUMENTS, PAGE_OUTPUT, pagedReply } from '../text/paged-reply.ts';
import { visible } from '../text/visible-text.ts';
import { defineTool, READS } from '../tool.ts';

const FilesReply = z.object({
  total: z.int().optional().describe('How many files match, on all pages.'),
  truncated: z.boolean().optional().describe('Whether matching files are missing from `items`.'),
  candidates: z
    .array(z.string())
    .optional()
    .describe('Full names, instead of all other fields, if several repositories have this name.'),
  warning: ours('sentence').optional(),
  next: ours('sentence').optional(),
  ...PAGE_OUTPUT,
  items: z.array(z.string()).optional().describe('Paths in byte order.'),
});

export const remoteFileSearch = defineTool({
  name: 'remote_file_search',
  title: 'Find files in a repository',
  description: {
    does: 'Find files in a repository by glob pattern, without cloning it, at any branch, tag or commit.',
    use: 'to locate files before you read them: `*.proto`, `src/**/export*.ts`, `/package.json`. To search inside files use `remote_grep`.',
    returns:
      '`items` (paths in byte order), `total` (exact) and `truncated`. If several repositories have this name: `candidates`; call again with one.',
    next: '`remote_read_file` for a path, or `remote_grep` inside a folder.',
  },
  operations: ['search-files', RECORD],
  hints: READS,
  input(fieldsOf) {
    const { pattern, ref, repository } = fieldsOf('search-files');
    return z.object({
      repository,
      pattern: pattern.describe(
        'A glob: `*`, `**`, `?`, `[a-z]`, `[!a]`, `{a,b}`. Without a `/` it matches at any depth; a leading `/` anchors it at the root.',
      ),
      ref,
      ...PAGE_ARGUMENTS,
      ...sessionArguments(fieldsOf),
    });
  },
  output: FilesReply,
  async run(given, context) {
    const opened = openPage('remote_file_search', given);
    const { pattern, ref, repository } = given;
    const found = await readCode(context, 'remote_file_search', given, () =>
      context.run('search-files', { repository, pattern, ref }),
    );
    if (isCandidates(found)) return { candidates: found.candidates, next: CANDIDATES_NEXT };
    const { items, total } = found;
    const pin = fingerprintOf(found);
    if (opened.pin !== undefined && opened.pin !== pin) {
      throw invalidRequest([
        { path: 'cursor', message: 'is for a list of files that has changed; call again without `cursor`' },
      ]);
    }
    const pieces = items.map((path, index) => ({ key: String(index), text: visible(path), atomic: true }));
    const beyond = total - items.length;
    return pagedReply(opened, {
      output: FilesReply,
      pieces,
      pin,
      render(parts, end) {
        const shown = parts.map(({ text }) => text);
        return {
          total,
          truncated: shown.length < total,
          warning: sessionWarning(given),
          more: moreSentence(
            end,
            beyond > 0 && !end.nextCursor ? `${beyond} more files match: use a narrower pattern.` : null,
          ),
          nextCursor: end.nextCursor,
          items: shown,
        };
      },
    });
  },
});

/** All pages must belong to the same list: a branch can move between two calls. */
function fingerprintOf({ items, total }: { items: string[]; total: number }): string {
  return createHash('sha256')
    .update(JSON.stringify([total, items]))
    .digest('hex')
    .slice(0, 16);
}
