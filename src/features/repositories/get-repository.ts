/** GET /api/v2/repositories/:repositoryId. */
import { defineOperation } from '../../context.ts';
import { GetRepositoryInput, Repository } from './contract.ts';
import { findRepository } from './find-repository.ts';
import { presentRepository } from './present-repository.ts';

export const getRepository = defineOperation({
  name: 'get-repository',
  group: 'Repositories',
  summary: 'Get a repository',
  http: { method: 'GET', path: '/api/v2/repositories/:repositoryId', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetRepositoryInput,
  output: Repository,
  problems: ['not_found'],
  async run(context, { repositoryId }) {
    return presentRepository(context.db, context.actor, await findRepository(context, repositoryId));
  },
});
