/** Queries for who can read repositories on their host. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

/** Replaces what the host said before. Undefined when the repository is no longer connected. */
export async function writeReaders(
  db: Db,
  repository: { id: string; codeHostId: string; organizationId: string },
  read: { isPrivate: boolean; hostAccountIds: string[]; problem: string | null; askedAt: Date },
): Promise<boolean> {
  const { codeHostId, id, organizationId } = repository;
  const row = await db
    .updateTable('code_host_repositories')
    .set({ is_private: read.isPrivate, access_read_at: read.askedAt, access_problem: read.problem })
    .where('repository_id', '=', id)
    .where('code_host_id', '=', codeHostId)
    .returning('repository_id')
    .executeTakeFirst();
  if (!row) return false;
  await sql`DELETE FROM code_host_readers d USING host_accounts a WHERE d.repository_id = ${id}
    AND a.id = d.account_id AND NOT a.host_account_id = ANY(${read.hostAccountIds}::text[])`.execute(db);
  await sql`INSERT INTO code_host_readers (repository_id, account_id, organization_id)
    SELECT ${id}, a.id, ${organizationId} FROM host_accounts a
    WHERE a.code_host_id = ${codeHostId} AND a.host_account_id = ANY(${read.hostAccountIds}::text[])
    ON CONFLICT DO NOTHING`.execute(db);
  return true;
}

/** Why who can read it is not known; what was known before stays. */
export async function writeAccessProblem(db: Db, repositoryId: string, problem: string): Promise<void> {
  await db
    .updateTable('code_host_repositories')
    .set({ access_problem: problem, access_read_at: sql<Date>`clock_timestamp()` })
    .where('repository_id', '=', repositoryId)
    .execute();
}

/** Repositories that this account can read on the host. */
export async function selectReadBy(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('code_host_readers')
    .select('repository_id')
    .where('account_id', '=', accountId)
    .execute();
  return rows.map(({ repository_id }) => repository_id);
}
