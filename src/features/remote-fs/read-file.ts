/** GET /api/v2/remote-fs/file: the lines of a file at a commit. */
import { defineOperation } from '../../context.ts';
import { invalidRequest, Problem } from '../../platform/core/errors/errors.ts';
import { acceptPath } from './accept-path.ts';
import { FileReply, MAX_READ_LINES, ReadFileInput } from './contract.ts';
import { noPath } from './no-path.ts';
import { openCommit } from './open-commit.ts';

const LAST_LINE = 2_147_483_647;

export const readFile = defineOperation({
  name: 'read-file',
  group: 'Code',
  summary: 'Read a file',
  http: { method: 'GET', path: '/api/v2/remote-fs/file', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: ReadFileInput,
  output: FileReply,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, input) {
    const { endLine = LAST_LINE, startLine = 1 } = input;
    if (endLine < startLine) {
      throw invalidRequest([{ path: 'endLine', message: 'must not be less than `startLine`' }]);
    }
    const path = acceptPath(input.path);
    const opened = await openCommit(context, input);
    if ('candidates' in opened) return opened;
    const file = await opened.read('readFile', { path, startLine, endLine, maxLines: MAX_READ_LINES });
    if (file.kind === 'no_path') throw await noPath(opened, path, 'file');
    if (file.kind === 'not_a_file') throw new Problem('not_found', `${path} is not a file.`);
    return { path, commit: opened.commit, ...file };
  },
});
