/** GET /api/v2/repositories/:repositoryId. */
import { type Context, defineOperation } from '../../context.ts';
import { notFound } from '../../platform/core/errors.ts';
import { GetRepositoryInput, Repository } from './contract.ts';
import { presentRepository } from './present-repository.ts';
import { type RepositoryRow, selectRepository } from './repository-store.ts';

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

/** Not found when there is none, it is another organization's, or the caller may not see it. */
export async function findRepository(
  { actor, db }: Pick<Context, 'actor' | 'db'>,
  repositoryId: string,
): Promise<RepositoryRow> {
  const row = await selectRepository(db, actor, repositoryId);
  if (!row) throw notFound('The repository');
  return row;
}
