/** GET /api/v2/organization/excluded-paths: the paths that reviews skip. */
import { defineOperation } from '../../context.ts';
import { ExcludedPathsList, ListExcludedPathsInput } from './contract.ts';
import { selectExcludedPaths } from './excluded-path-store.ts';
import { presentExcludedPaths } from './present-setting.ts';

export const listExcludedPaths = defineOperation({
  name: 'list-excluded-paths',
  group: 'Organization',
  summary: 'List the paths that reviews skip',
  http: { method: 'GET', path: '/api/v2/organization/excluded-paths', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListExcludedPathsInput,
  output: ExcludedPathsList,
  problems: [],
  async run({ actor, db }) {
    return { repositories: (await selectExcludedPaths(db, actor)).map(presentExcludedPaths) };
  },
});
