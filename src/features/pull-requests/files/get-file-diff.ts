/** GET /api/v2/pull-requests/:pullRequestId/files/diff: how one file differs between two commits of a pull request. */
import type { z } from 'zod';
import { defineOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { FileDiff, GetFileDiffInput } from '../contract.ts';
import { type OpenRange, openRange } from './open-range.ts';

export const DEFAULT_CONTEXT = 3;

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
    const { context: lines = DEFAULT_CONTEXT, ignoreWhitespace = false, oldPath = null, path } = input;
    return readFileDiff(await openRange(context, input), { path, oldPath, context: lines, ignoreWhitespace });
  },
});

export async function readFileDiff(
  range: OpenRange,
  wanted: { path: string; oldPath: string | null; context: number; ignoreWhitespace: boolean },
): Promise<z.input<typeof FileDiff>> {
  const { oldPath, path } = wanted;
  const diff = await range.compare('fileDiff', { ...wanted, oldPath: oldPath ?? undefined });
  if (diff.kind === 'no_path')
    throw new Problem('not_found', `${path} doesn't exist at either of these commits.`);
  return { path, oldPath, ...diff };
}
