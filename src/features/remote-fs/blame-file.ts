/** GET /api/v2/remote-fs/blame: which commit last changed each line of a file. */
import { defineOperation } from '../../context.ts';
import { maskValue } from '../../engines/review/index.ts';
import { BlameReply, MAX_READ_LINES, ReadFileInput } from './contract.ts';
import { acceptFile, noFile } from './file-place.ts';
import { openCommit } from './open-commit.ts';

export const blameFile = defineOperation({
  name: 'blame-file',
  group: 'Code',
  summary: 'Show who last changed each line of a file',
  description: 'Follows renames. Returns at most 5,000 lines, in runs of lines with the same commit.',
  http: { method: 'GET', path: '/api/v2/remote-fs/blame', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ReadFileInput,
  output: BlameReply,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, input) {
    const path = acceptFile(input.path);
    const opened = await openCommit(context, input);
    if ('candidates' in opened) return opened;
    const { startLine = 1 } = input;
    const endLine = Math.min(input.endLine ?? Number.POSITIVE_INFINITY, startLine + MAX_READ_LINES - 1);
    const found = await opened.read('blameLines', { path, startLine, endLine: Math.max(startLine, endLine) });
    if (!found) throw noFile(path);
    const runs = (await maskValue(found)).map(({ authoredAt, ...run }) => ({
      ...run,
      authoredAt: new Date(authoredAt).toISOString(),
    }));
    return { path, commit: opened.commit, runs };
  },
});
