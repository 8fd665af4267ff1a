/** Queries for statuses of commits. */
import { sql } from 'kysely';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import type { Db } from '../../platform/db/index.ts';
import type { SetWith, StatusState } from './contract.ts';

export interface CommitOfRepository {
  organizationId: string;
  repositoryId: string;
  commit: string;
}

/** Statuses of a commit are set one after the other, until the transaction ends. */
export async function lockStatusesOf(
  db: Db,
  { commit, repositoryId }: Omit<CommitOfRepository, 'organizationId'>,
): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`status ${repositoryId} ${commit}`}, 0))`.execute(
    db,
  );
}

/** By name. */
export function selectStatuses(db: Db, repositoryId: string, commit: string) {
  return db
    .selectFrom('commit_statuses as s')
    .leftJoin('users as u', 'u.id', 's.user_id')
    .select([
      's.name',
      's.state',
      's.description',
      's.url',
      's.set_with',
      's.user_id',
      'u.name as user_name',
      's.key_name',
      's.account_login',
      's.updated_at',
    ])
    .where('s.repository_id', '=', repositoryId)
    .where('s.commit', '=', commit)
    .orderBy('s.name')
    .execute();
}

export type StatusRow = Awaited<ReturnType<typeof selectStatuses>>[number];

export interface NewStatus {
  name: string;
  state: StatusState;
  description: string;
  url: string | null;
  setWith: SetWith;
  userId: string | null;
  keyName: string | null;
  accountLogin: string | null;
  at: Date;
}

export async function deleteStatuses(
  db: Db,
  { commit, repositoryId }: Omit<CommitOfRepository, 'organizationId'>,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  await db
    .deleteFrom('commit_statuses')
    .where('repository_id', '=', repositoryId)
    .where('commit', '=', commit)
    .where(sql<boolean>`name = ANY(${names}::text[])`)
    .execute();
}

/** Replaces those of the same name. */
export async function upsertStatuses(
  db: Db,
  { commit, organizationId, repositoryId }: CommitOfRepository,
  statuses: readonly NewStatus[],
): Promise<void> {
  if (statuses.length === 0) return;
  const rows = statuses.map((status) => ({
    id: uuidv7(),
    organization_id: organizationId,
    repository_id: repositoryId,
    commit,
    name: status.name,
    state: status.state,
    description: status.description,
    url: status.url,
    set_with: status.setWith,
    user_id: status.userId,
    key_name: status.keyName,
    account_login: status.accountLogin,
    updated_at: status.at,
  }));
  await db
    .insertInto('commit_statuses')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['repository_id', 'commit', 'name']).doUpdateSet((row) => ({
        state: row.ref('excluded.state'),
        description: row.ref('excluded.description'),
        url: row.ref('excluded.url'),
        set_with: row.ref('excluded.set_with'),
        user_id: row.ref('excluded.user_id'),
        key_name: row.ref('excluded.key_name'),
        account_login: row.ref('excluded.account_login'),
        updated_at: row.ref('excluded.updated_at'),
      })),
    )
    .execute();
}

/** The open and draft pull requests whose newest head it is, in the order in which they are locked. */
export async function selectPullRequestsOfHead(
  db: Db,
  { commit, repositoryId }: Omit<CommitOfRepository, 'organizationId'>,
): Promise<string[]> {
  const rows = await db
    .selectFrom('pull_requests')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .where('head_commit', '=', commit)
    .where(sql<boolean>`state IN ('open', 'draft')`)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function selectKeyName(db: Db, keyId: string): Promise<string | null> {
  const row = await db.selectFrom('api_keys').select('name').where('id', '=', keyId).executeTakeFirst();
  return row?.name ?? null;
}
