/** GET /api/v2/pull-requests/:pullRequestId/files/diff: how one file differs between two commits of a pull request. */
import { defineOperation } from '../../context.ts';
import { Problem } from '../../platform/core/errors.ts';
import { FileDiff, GetFileDiffInput } from './contract.ts';
import { openRange } from './open-range.ts';

const DEFAULT_CONTEXT = 3;

export const getFileDiff = defineOperation({
  name: 'get-file-diff',
  group: 'Pull requests',
  summary: 'Get the diff of a file',
  http: { method: 'GET', path: '/api/v2/pull-requests/:pullRequestId/files/diff', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetFileDiffInput,
  output: FileDiff,
  problems: ['not_found', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, input) {
    const { context: lines = DEFAULT_CONTEXT, ignoreWhitespace = false, oldPath, path } = input;
    const range = await openRange(context, input);
    const diff = await range.compare('fileDiff', { path, oldPath, context: lines, ignoreWhitespace });
    if (diff.kind === 'no_path')
      throw new Problem('not_found', `${path} doesn't exist at either of these commits.`);
    return { path, oldPath: oldPath ?? null, ...diff };
  },
});
