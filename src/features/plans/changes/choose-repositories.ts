/** Resolves the repositories of a plan. IDs must exist; names need not. */
import { type FieldError, invalidRequest } from '../../../platform/core/errors/errors.ts';
import type { Db } from '../../../platform/db/index.ts';
import {
  matchRepositories,
  type Reader,
  selectRepositoriesById,
  UNSEEN_REPOSITORY,
} from '../../repositories/index.ts';
import type { PlanRepositoryRow, SeenRow } from '../store/plan-repository-store.ts';

export interface RepositoryChoice {
  repoIds?: string[];
  repoNames?: string[];
}

/**
 * IDs take precedence over names. An unknown or ambiguous name is kept as given; duplicates are dropped. Repositories
 * that the author can't see count as unknown, so that a plan never reveals one. What they read in place of such a name keeps those of
 * the earlier version.
 */
export async function chooseRepositories(
  db: Db,
  reader: Reader,
  { repoIds = [], repoNames = [] }: RepositoryChoice,
  earlier: SeenRow[],
): Promise<SeenRow[]> {
  if (repoIds.length > 0) return repositoriesById(db, reader, repoIds);
  if (repoNames.length === 0) return [];
  const matches = await matchRepositories(db, reader, repoNames);
  const chosen = repoNames.flatMap((name): SeenRow[] => {
    if (name === UNSEEN_REPOSITORY) return earlier.filter(({ unseen }) => unseen);
    const [only, ...others] = matches.get(name)!;
    return [only && others.length === 0 ? rowOf(only) : rowOf({ id: null, name, head_commit: null })];
  });
  return withoutDuplicates(chosen);
}

async function repositoriesById(db: Db, reader: Reader, ids: string[]): Promise<SeenRow[]> {
  const known = new Map(
    (await selectRepositoriesById(db, reader, ids)).map((repository) => [repository.id, repository]),
  );
  const errors = ids.flatMap((id, index): FieldError[] =>
    known.has(id) ? [] : [{ path: `repoIds[${index}]`, message: 'is not a repository in your organization' }],
  );
  if (errors.length > 0) throw invalidRequest(errors);
  return withoutDuplicates(ids.map((id) => rowOf(known.get(id)!)));
}

/** The repositories of an earlier version, resolved again. */
export async function resolveAgain(db: Db, reader: Reader, earlier: SeenRow[]): Promise<PlanRepositoryRow[]> {
  if (earlier.length === 0) return [];
  const ids = earlier.flatMap(({ repository_id }) => repository_id ?? []);
  const known = new Map((await selectRepositoriesById(db, reader, ids)).map((row) => [row.id, row]));
  const names = earlier.filter(({ repository_id }) => repository_id === null).map(({ name }) => name);
  const matches = await matchRepositories(db, reader, names);
  return withoutDuplicates(
    earlier.map((row) => {
      const found =
        row.repository_id === null ? (matches.get(row.name) ?? []) : [known.get(row.repository_id)];
      return found.length === 1 && found[0] ? rowOf(found[0]) : row;
    }),
  );
}

function rowOf(repository: { id: string | null; name: string; head_commit: string | null }): SeenRow {
  const { head_commit, id, name } = repository;
  return { repository_id: id, name, head_commit, was_private: false, unseen: false };
}

function withoutDuplicates(rows: SeenRow[]): SeenRow[] {
  const seen = new Set<string>();
  return rows.filter(({ name, repository_id }) => {
    const key = repository_id ?? name.toLowerCase();
    return seen.has(key) ? false : seen.add(key);
  });
}
