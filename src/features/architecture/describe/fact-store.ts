/** Queries for the facts that concern other repositories. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { FactRow } from './fact-row.ts';

/** Rows in a statement. */
const BATCH = 2000;

/** Makes these the facts of the repository; what stays the same is not written. */
export async function replaceFacts(
  db: Db,
  repository: { id: string; organizationId: string },
  facts: readonly FactRow[],
): Promise<void> {
  const stored = await db
    .selectFrom('architecture_facts')
    .select('id')
    .where('repository_id', '=', repository.id)
    .execute();
  const before = new Set(stored.map(({ id }) => id));
  const now = new Set(facts.map(({ id }) => id));
  const gone = [...before].filter((id) => !now.has(id));
  for (let from = 0; from < gone.length; from += BATCH) {
    await sql`DELETE FROM architecture_facts
      WHERE repository_id = ${repository.id} AND id = ANY(${gone.slice(from, from + BATCH)}::uuid[])`.execute(
      db,
    );
  }
  const added = facts.filter(({ id }) => !before.has(id));
  for (let from = 0; from < added.length; from += BATCH) {
    await insertFacts(db, repository, added.slice(from, from + BATCH));
  }
}

async function insertFacts(
  db: Db,
  repository: { id: string; organizationId: string },
  facts: readonly FactRow[],
): Promise<void> {
  const column = <Key extends keyof FactRow>(key: Key) => facts.map((fact) => fact[key]);
  await sql`INSERT INTO architecture_facts
      (repository_id, id, organization_id, kind, role, name, part, path, line, detail)
    SELECT ${repository.id}::uuid, f.id, ${repository.organizationId}::uuid, f.kind, f.role, f.name, f.part, f.path, f.line, f.detail
    FROM unnest(${column('id')}::uuid[], ${column('kind')}::text[], ${column('role')}::text[], ${column('name')}::text[],
      ${column('part')}::text[], ${column('path')}::text[], ${column('line')}::int[], ${column('detail')}::text[])
      AS f (id, kind, role, name, part, path, line, detail)`.execute(db);
}

/** The first facts of a kind that a repository provides, by name. */
export function selectProvided(
  db: Db,
  organizationId: string,
  wanted: { repositoryId: string; kind: string; limit: number },
) {
  return db
    .selectFrom('architecture_facts')
    .select(['name', 'detail', 'path', 'line'])
    .where('repository_id', '=', wanted.repositoryId)
    .where('kind', '=', wanted.kind)
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'provides')
    .orderBy('name')
    .limit(wanted.limit)
    .execute();
}
