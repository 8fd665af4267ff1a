/** GET /api/v2/remote-fs/file-search: the files of a commit whose paths match a glob. */
import { defineOperation } from '../../context.ts';
import { invalidRequest } from '../../platform/core/errors/errors.ts';
import { FileSearchInput, FileSearchReply, MAX_FILES } from './contract.ts';
import { openCommit } from './open-commit.ts';

export const searchFiles = defineOperation({
  name: 'search-files',
  group: 'Code',
  summary: 'Find files by name',
  description:
    'Works at every branch, tag and commit. Includes symbolic links but not submodules. Paths that are not valid UTF-8 are quoted as git quotes them.',
  http: { method: 'GET', path: '/api/v2/remote-fs/file-search', status: 200 },
  accepts: ['key', 'session', 'oauth', 'mcp'],
  role: 'viewer',
  input: FileSearchInput,
  output: FileSearchReply,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  example: {
    request: { repository: 'acme/api', pattern: 'src/**/*.ts' },
    reply: { items: ['src/main.ts', 'src/retry.ts'], total: 2, truncated: false },
  },
  async run(context, input) {
    const opened = await openCommit(context, input);
    if ('candidates' in opened) return opened;
    const result = await opened.read('findFiles', { glob: input.pattern, limit: MAX_FILES });
    if ('kind' in result) {
      throw invalidRequest([{ path: 'pattern', message: `is not a valid glob: ${result.message}` }]);
    }
    return { ...result, truncated: result.total > result.items.length };
  },
});
