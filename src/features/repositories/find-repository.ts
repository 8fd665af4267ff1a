/** Finds a repository that the caller may see, by its id. */
import type { Context } from '../../context.ts';
import { notFound } from '../../platform/core/errors/errors.ts';
import { type RepositoryRow, selectRepository } from './store/repository-store.ts';

/** Not found when there is none, it is another organization's, or the caller may not see it. */
export async function findRepository(
  { actor, db }: Pick<Context, 'actor' | 'db'>,
  repositoryId: string,
): Promise<RepositoryRow> {
  const row = await selectRepository(db, actor, repositoryId);
  if (!row) throw notFound('The repository');
  return row;
}
