/** POST /api/v2/reviewers/preview-files: which files of a repository a list of globs matches now. */
import { callOf, defineOperation } from '../../../context.ts';
import { joinGlobs } from '../../../engines/search/index.ts';
import { invalidRequest, notFound, Problem } from '../../../platform/core/errors/errors.ts';
import { selectRepositoriesById } from '../../repositories/index.ts';
import { LIMITS, PreviewedFiles, PreviewReviewerFilesInput } from '../contract.ts';

export const previewReviewerFiles = defineOperation({
  name: 'preview-reviewer-files',
  group: 'Reviewers',
  summary: 'Preview the files that globs match',
  description: 'On the default branch. Changes nothing.',
  http: { method: 'POST', path: '/api/v2/reviewers/preview-files', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: PreviewReviewerFilesInput,
  output: PreviewedFiles,
  problems: ['not_found', 'repository_not_ready', 'unavailable'],
  async run(context, { paths, repositoryId }) {
    const [repository] = await selectRepositoriesById(context.db, context.actor, [repositoryId]);
    if (!repository) throw notFound('The repository');
    if (repository.head_commit === null) {
      throw new Problem('repository_not_ready', 'This repository is still being fetched.', {
        retryAfterSeconds: 5,
      });
    }
    const query = {
      commit: repository.head_commit,
      glob: paths.length === 0 ? '**' : joinGlobs(paths),
      limit: LIMITS.previewedFiles,
    };
    const found = await context.code.read('findFiles', repositoryId, query, callOf(context));
    if ('kind' in found) {
      throw invalidRequest([{ path: 'paths', message: `are not valid globs: ${found.message}` }]);
    }
    return { ...found, truncated: found.total > found.items.length };
  },
});
