/** The queries on repositories. */
import { sql } from 'kysely';
import type { Db } from '../db/index.ts';

export interface KnownRepository {
  id: string;
  name: string;
  head_commit: string | null;
}

export function selectRepositoriesById(
  db: Db,
  organizationId: string,
  ids: string[],
): Promise<KnownRepository[]> {
  return db
    .selectFrom('repositories')
    .select(['id', 'name', 'head_commit'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`id = ANY(${ids}::uuid[])`)
    .execute();
}

/**
 * The repositories that each name may mean, by the name as it was given: the one with exactly this full name, else
 * all whose leaf name it is; case does not count.
 */
export async function matchRepositories(
  db: Db,
  organizationId: string,
  names: string[],
): Promise<Map<string, KnownRepository[]>> {
  const folded = [...new Set(names.map((name) => name.toLowerCase()))];
  const { rows } = await sql<KnownRepository & { folded_name: string; folded_leaf: string }>`
    SELECT id, name, head_commit, folded_name, folded_leaf FROM repositories
    WHERE organization_id = ${organizationId} AND folded_name = ANY(${folded}::text[])
    UNION
    SELECT id, name, head_commit, folded_name, folded_leaf FROM repositories
    WHERE organization_id = ${organizationId} AND folded_leaf = ANY(${folded}::text[])
    ORDER BY name`.execute(db);
  return new Map(
    names.map((name) => {
      const wanted = name.toLowerCase();
      const exact = rows.filter((row) => row.folded_name === wanted);
      return [name, exact.length > 0 ? exact : rows.filter((row) => row.folded_leaf === wanted)];
    }),
  );
}
