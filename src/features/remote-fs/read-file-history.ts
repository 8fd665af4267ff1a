/** GET /api/v2/remote-fs/history: the commits that changed a file, or some of its lines, newest first. */
import { defineOperation } from '../../context.ts';
import { maskValue } from '../../engines/review/index.ts';
import { FileHistoryReply, MAX_HISTORY_COMMITS, ReadFileInput } from './contract.ts';
import { acceptFile, linesOf, noFile } from './file-place.ts';
import { openCommit } from './open-commit.ts';

export const readFileHistory = defineOperation({
  name: 'read-file-history',
  group: 'Code',
  summary: 'List the commits that changed a file',
  description:
    'Follows renames. With `startLine` and `endLine`, only commits that changed these lines. Returns the newest 100.',
  http: { method: 'GET', path: '/api/v2/remote-fs/history', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ReadFileInput,
  output: FileHistoryReply,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, input) {
    const path = acceptFile(input.path);
    const lines = linesOf(input);
    const opened = await openCommit(context, input);
    if ('candidates' in opened) return opened;
    const limit = MAX_HISTORY_COMMITS + 1;
    const found = await maskValue(await opened.read('fileHistory', { path, lines, limit }));
    if (!found) throw noFile(path);
    const commits = found
      .slice(0, MAX_HISTORY_COMMITS)
      .map(({ authoredAt, authorName, commit, subject }) => ({
        commit,
        authorName,
        authoredAt: new Date(authoredAt).toISOString(),
        subject,
      }));
    return { path, commit: opened.commit, commits, truncated: found.length === limit };
  },
});
