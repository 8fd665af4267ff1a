/** Queries for what texts refer to, as far as the reader can see it. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { type Reader, visibleRepositories } from '../repositories/index.ts';

/** By their full names in lower case, and the one where the text is. */
export function selectNamedRepositories(
  db: Db,
  reader: Reader,
  names: string[],
  repositoryId: string | null,
) {
  return visibleRepositories(db, reader)
    .select(['r.id', 'r.folded_name', 'r.state'])
    .where(sql<boolean>`(r.folded_name = ANY(${names}::text[]) OR r.id = ${repositoryId}::uuid)`)
    .execute();
}

/** The repositories must be visible to the reader. */
export async function selectNumbered(db: Db, wanted: { repositoryId: string; number: number }[]) {
  if (wanted.length === 0) return [];
  const { rows } = await sql<{
    id: string;
    repository_id: string;
    number: number;
    title: string;
    state: string;
  }>`
    SELECT p.id, p.repository_id, p.number, p.title, p.state
    FROM unnest(${wanted.map(({ repositoryId }) => repositoryId)}::uuid[], ${wanted.map(({ number }) => number)}::integer[])
      AS w (repository_id, number)
    JOIN pull_requests p ON p.repository_id = w.repository_id AND p.number = w.number`.execute(db);
  return rows;
}

export async function selectPeopleNames(db: Db, userIds: string[]): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`ANY(${userIds}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
