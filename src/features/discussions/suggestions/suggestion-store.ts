/** Queries for applying suggestions: the people of the commit, and the code host that would do it instead. */
import { sql } from 'kysely';
import { DELETED_ADDRESSES } from '../../../platform/core/text/deleted-address.ts';
import type { Db } from '../../../platform/db/index.ts';

/** Present and former members, with the address of their account; a deleted account has none. */
export async function selectCommitPeople(
  db: Db,
  organizationId: string,
  userIds: string[],
): Promise<Map<string, { name: string; email: string }>> {
  const { rows } = await sql<{ id: string; name: string; email: string }>`
    SELECT u.id, u.name, u.email FROM users u
    JOIN memberships m ON m.user_id = u.id AND m.organization_id = ${organizationId}
    WHERE u.id = ANY(${userIds}::uuid[]) AND u.email NOT LIKE ${DELETED_ADDRESSES}`.execute(db);
  return new Map(rows.map(({ email, id, name }) => [id, { name, email }]));
}

/** Null unless the repository is on a code host. */
export async function selectHostKind(
  db: Db,
  repositoryId: string,
): Promise<'github' | 'gitlab' | 'gitea' | null> {
  const row = await db
    .selectFrom('repositories as r')
    .innerJoin('code_hosts as h', 'h.id', 'r.code_host_id')
    .select('h.kind')
    .where('r.id', '=', repositoryId)
    .executeTakeFirst();
  return row?.kind ?? null;
}
