/** GET /api/v2/repositories/:repositoryId/watch: whether the caller and which teams watch a repository. */
import { defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { selectRepository } from '../repositories/index.ts';
import { GetRepositoryWatchInput, RepositoryWatch } from './contract.ts';
import { readWatch } from './present-watch.ts';

export const getRepositoryWatch = defineOperation({
  name: 'get-repository-watch',
  group: 'Inbox',
  summary: 'Get who watches a repository',
  description: 'You and the teams; other members who watch it are not listed.',
  http: { method: 'GET', path: '/api/v2/repositories/:repositoryId/watch', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetRepositoryWatchInput,
  output: RepositoryWatch,
  problems: ['not_found'],
  async run({ actor, db }, { repositoryId }) {
    if (!(await selectRepository(db, actor, repositoryId))) throw notFound('The repository');
    return readWatch(db, actor, repositoryId);
  },
});
