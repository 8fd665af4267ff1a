/** GET /api/v2/pull-requests/:pullRequestId/files: the files that differ between two commits of a pull request. */
import { defineOperation } from '../../context.ts';
import { rankPath } from '../../engines/search/index.ts';
import { LIMITS, ListPullRequestFilesInput, PullRequestFiles } from './contract.ts';
import { openRange } from './open-range.ts';
import { selectViewedFiles } from './reader-store.ts';

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
    const list = await range.compare('listChanges', { limit: LIMITS.maxFiles });
    const viewed = await selectViewedFiles(context.db, context.actor, range.pullRequest.id);
    return {
      ...list,
      from: range.from,
      to: range.to,
      files: list.files.map(({ newMode: _new, oldMode: _old, ...file }) => ({
        ...file,
        generated: rankPath(file.path) === 'generated',
        viewed: viewed.get(file.path) === (file.newBlob ?? file.oldBlob),
      })),
    };
  },
});
