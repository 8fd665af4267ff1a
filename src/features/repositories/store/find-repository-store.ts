/** Queries that find repositories by id or name, for other features. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { nearNames } from '../near-names.ts';
import { type Reader, visibleRepositories } from './visible-repositories-store.ts';

export interface KnownRepository {
  id: string;
  name: string;
  head_commit: string | null;
}

export function selectRepositoriesById(db: Db, reader: Reader, ids: string[]): Promise<KnownRepository[]> {
  return visibleRepositories(db, reader)
    .select(['r.id', 'r.name', 'r.head_commit'])
    .where(sql<boolean>`r.id = ANY(${ids}::uuid[])`)
    .execute();
}

/** More candidates than this don't help the caller. */
const MAX_CANDIDATES = 200;

function namedOrEndingIn(names: string[]) {
  return sql<boolean>`(r.folded_name = ANY(${names}::text[]) OR r.folded_leaf = ANY(${names}::text[]))`;
}

/**
 * The repositories that each given name can mean: the one with exactly this full name, or else all with this
 * last part. Not case-sensitive.
 */
export async function matchRepositories(
  db: Db,
  reader: Reader,
  names: string[],
): Promise<Map<string, KnownRepository[]>> {
  const folded = [...new Set(names.map((name) => name.toLowerCase()))];
  const rows = await visibleRepositories(db, reader)
    .select(['r.id', 'r.name', 'r.head_commit', 'r.folded_name', 'r.folded_leaf'])
    .where(namedOrEndingIn(folded))
    .orderBy('r.name')
    .execute();
  return new Map(
    names.map((name) => {
      const wanted = name.toLowerCase();
      const exact = rows.filter((row) => row.folded_name === wanted);
      return [name, exact.length > 0 ? exact : rows.filter((row) => row.folded_leaf === wanted)];
    }),
  );
}

export interface FoundRepository extends KnownRepository {
  state: string;
  default_branch: string | null;
}

export interface SearchableRepository extends KnownRepository {
  state: string;
  /** The head of the requested branch, or of the default branch. */
  commit: string | null;
}

/** The repositories that a reader can see, by name, with the head of a branch in each. */
export function selectSearchable(
  db: Db,
  reader: Reader,
  branch: string | undefined,
  limit: number,
): Promise<SearchableRepository[]> {
  const all = visibleRepositories(db, reader)
    .select(['r.id', 'r.name', 'r.head_commit', 'r.state'])
    .orderBy('r.folded_name')
    .limit(limit);
  if (branch === undefined) return all.select('r.head_commit as commit').execute();
  return all
    .select(
      sql<string | null>`(SELECT b.commit FROM repository_refs b
        WHERE b.repository_id = r.id AND b.kind = 'branch' AND b.name = ${branch})`.as('commit'),
    )
    .execute();
}

export type RepositoryResolution =
  | { kind: 'one'; repository: FoundRepository }
  /** Full names, in order. */
  | { kind: 'several'; candidates: string[] }
  | { kind: 'none' };

/** How many names are compared for suggestions. */
const MAX_COMPARED = 1000;

/** Suggestions for a name that matches nothing the reader can see: full names, most similar first. */
export async function suggestRepositories(db: Db, reader: Reader, name: string): Promise<string[]> {
  const rows = await visibleRepositories(db, reader)
    .select('r.name')
    .orderBy('r.folded_leaf')
    .limit(MAX_COMPARED)
    .execute();
  return nearNames(
    name,
    rows.map((row) => row.name),
  );
}

/** Resolves a name for this reader by the same rule, with everything needed to read code, in one query. */
export async function resolveRepository(db: Db, reader: Reader, name: string): Promise<RepositoryResolution> {
  const wanted = name.toLowerCase();
  const rows = await visibleRepositories(db, reader)
    .select(['r.id', 'r.name', 'r.state', 'r.head_commit', 'r.default_branch', 'r.folded_name'])
    .where(namedOrEndingIn([wanted]))
    .orderBy(sql`r.folded_name <> ${wanted}`)
    .orderBy('r.folded_name')
    .limit(MAX_CANDIDATES)
    .execute();
  const [first, ...others] = rows;
  if (!first) return { kind: 'none' };
  if (first.folded_name !== wanted && others.length > 0)
    return { kind: 'several', candidates: rows.map((row) => row.name) };
  const { folded_name: _, ...repository } = first;
  return { kind: 'one', repository };
}
