/** PUT /api/v2/repositories/:repositoryId/excluded-paths: sets the paths that reviews of a repository skip. */
import { isDeepStrictEqual } from 'node:util';
import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { ExcludedPathsList, SetExcludedPathsInput } from './contract.ts';
import {
  deleteExcludedPaths,
  lockForExcludedPaths,
  selectExcludedPaths,
  upsertExcludedPaths,
} from './excluded-path-store.ts';
import { presentExcludedPaths } from './present-setting.ts';
import { insertSettingChange } from './setting-change-store.ts';

export const setExcludedPaths = defineOperation({
  name: 'set-excluded-paths',
  group: 'Organization',
  summary: 'Set the paths that reviews of a repository skip',
  description:
    'Globs as in the file search: without a slash they match names at any depth, a leading slash anchors them. Returns all repositories with excluded paths.',
  http: { method: 'PUT', path: '/api/v2/repositories/:repositoryId/excluded-paths', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: SetExcludedPathsInput,
  output: ExcludedPathsList,
  problems: ['not_found'],
  async run(context, { repositoryId, ...input }) {
    const { actor, clock } = context;
    const { organizationId, userId } = actor;
    const paths = [...new Set(input.paths)];
    await inTransaction(context.db, async (db) => {
      const repository = await lockForExcludedPaths(db, actor, repositoryId);
      if (!repository) throw notFound('The repository');
      const before = repository.paths ?? [];
      if (isDeepStrictEqual(before, paths)) return;
      const at = clock.now();
      if (paths.length === 0) await deleteExcludedPaths(db, organizationId, repositoryId);
      else await upsertExcludedPaths(db, { organizationId, repositoryId, paths, userId, at });
      await insertSettingChange(db, {
        organizationId,
        subjectId: repositoryId,
        userId,
        before: { paths: before },
        after: { paths },
        at,
      });
      await recordAudit(db, callerOf({ ...context, db }), {
        action: 'excluded_paths.changed',
        subjectId: repositoryId,
        subjectName: repository.name,
        detail: { paths: { from: before, to: paths } },
      });
    });
    return { repositories: (await selectExcludedPaths(context.db, actor)).map(presentExcludedPaths) };
  },
});
