/** GET /api/v2/pull-requests/:pullRequestId/files: the files that differ between two commits of a pull request. */
import type { z } from 'zod';
import { defineOperation } from '../../../context.ts';
import { rankPath } from '../../../engines/search/index.ts';
import type { ChangedPath } from '../../../platform/core/ports/code-differences.ts';
import { type ChangedFile, LIMITS, ListPullRequestFilesInput, PullRequestFiles } from '../contract.ts';
import { selectViewedFiles } from '../readers/reader-store.ts';
import { inFolderOrder } from './folder-order.ts';
import { DEFAULT_CONTEXT, readFileDiff } from './get-file-diff.ts';
import { openRange } from './open-range.ts';

const USUAL_MODE = '100644';

/** As many as fill a screen; a file with more changed lines would delay the list. */
const MAX_FIRST = { files: 4, lines: 1000 };

export const listPullRequestFiles = defineOperation({
  name: 'list-pull-request-files',
  group: 'Pull requests',
  summary: 'List changed files',
  description: 'Between the merge base and the newest head, or between any two commits of the repository.',
  http: { method: 'GET', path: '/api/v2/pull-requests/:pullRequestId/files', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListPullRequestFilesInput,
  output: PullRequestFiles,
  problems: ['not_found', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, input) {
    const range = await openRange(context, input);
    const [list, viewed] = await Promise.all([
      range.compare('listChanges', { limit: LIMITS.maxFiles }),
      selectViewedFiles(context.db, context.actor, range.pullRequest.id),
    ]);
    const files = inFolderOrder(list.files).map((file) => ({
      ...withoutUsual(file),
      generated: rankPath(file.path) === 'generated',
      viewed: viewed.get(file.path) === (file.newBlob ?? file.oldBlob),
    }));
    const firstDiffs = await Promise.all(
      firstShown(files).map(({ oldPath, path }) =>
        readFileDiff(range, { path, oldPath, context: DEFAULT_CONTEXT, ignoreWhitespace: false }),
      ),
    );
    return { ...list, from: range.from, to: range.to, files, firstDiffs };
  },
});

/** The first files whose lines the page shows. */
function firstShown(files: readonly z.input<typeof ChangedFile>[]) {
  return files
    .filter(({ generated, kind, viewed }) => kind === 'text' && !generated && !viewed)
    .slice(0, MAX_FIRST.files)
    .filter(({ added, deleted }) => (added ?? 0) + (deleted ?? 0) <= MAX_FIRST.lines);
}

/** Thousands of files have the usual mode, and no size. */
function withoutUsual({ newBytes, newMode, oldBytes, oldMode, ...file }: ChangedPath) {
  const isUsual = [oldMode, newMode].every((mode) => mode === null || mode === USUAL_MODE);
  return {
    ...file,
    ...(!isUsual && { oldMode, newMode }),
    ...((oldBytes !== null || newBytes !== null) && { oldBytes, newBytes }),
  };
}
