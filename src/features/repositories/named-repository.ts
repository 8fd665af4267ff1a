/** Resolves the name of a repository in a request to the one that the caller means and may see. */
import type { Context } from '../../context.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import {
  type FoundRepository,
  resolveRepository,
  suggestRepositories,
} from './store/find-repository-store.ts';

/** For operations whose reply has no place for candidates: a name that fits several repositories is an error. */
export async function findNamedRepository(
  context: Pick<Context, 'actor' | 'db'>,
  sentName: string,
): Promise<FoundRepository> {
  const name = sentName.trim();
  const found = await resolveRepository(context.db, context.actor, name);
  if (found.kind === 'one') return found.repository;
  if (found.kind === 'none') throw await unknownRepository(context, name);
  const { candidates } = found;
  throw new Problem('ambiguous_repository', `${name} can mean ${candidates.join(' or ')}.`, { candidates });
}

/** Suggests similar names, only ones that the caller may see. */
export async function unknownRepository(
  { actor, db }: Pick<Context, 'actor' | 'db'>,
  name: string,
): Promise<Problem> {
  const candidates = await suggestRepositories(db, actor, name);
  const none = `No repository named ${name} exists, or you don't have access to it.`;
  if (candidates.length === 0) return new Problem('not_found', none);
  return new Problem('not_found', `${none} Did you mean ${candidates.join(' or ')}?`, { candidates });
}
