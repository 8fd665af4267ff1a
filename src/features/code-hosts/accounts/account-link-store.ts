/** Queries for accounts of code hosts and the members they are linked to. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

function accounts(db: Db, organizationId: string, codeHostId: string) {
  return db
    .selectFrom('host_accounts as a')
    .leftJoin('users as u', 'u.id', 'a.user_id')
    .select([
      'a.id',
      'a.code_host_id',
      'a.login',
      'a.name',
      'a.is_bot',
      'a.user_id',
      'u.name as user_name',
      'a.linked_by',
      'a.linked_at',
    ])
    .where('a.organization_id', '=', organizationId)
    .where('a.code_host_id', '=', codeHostId);
}

/** People only, by login: without bots and the service's own account. */
export function selectAccounts(
  db: Db,
  organizationId: string,
  codeHostId: string,
  page: { search?: string | undefined; after?: { login: string; id: string } | undefined; limit: number },
) {
  return accounts(db, organizationId, codeHostId)
    .where('a.is_bot', '=', false)
    .where(
      sql<boolean>`a.host_account_id IS DISTINCT FROM (SELECT h.account_id FROM code_hosts h WHERE h.id = ${codeHostId})`,
    )
    .$if(page.search !== undefined, (query) =>
      query.where(
        sql<boolean>`(strpos(lower(a.login), ${page.search!.toLowerCase()}) > 0 OR strpos(lower(a.name), ${page.search!.toLowerCase()}) > 0)`,
      ),
    )
    .$if(page.after !== undefined, (query) =>
      query.where(sql<boolean>`(a.login, a.id) > (${page.after!.login}, ${page.after!.id}::uuid)`),
    )
    .orderBy('a.login')
    .orderBy('a.id')
    .limit(page.limit)
    .execute();
}

export type AccountRow = Awaited<ReturnType<typeof selectAccounts>>[number];

/** Locks the account until the transaction ends. */
export async function lockAccount(
  db: Db,
  organizationId: string,
  codeHostId: string,
  accountId: string,
): Promise<AccountRow | undefined> {
  await db.selectFrom('host_accounts').select('id').where('id', '=', accountId).forUpdate().execute();
  return accounts(db, organizationId, codeHostId).where('a.id', '=', accountId).executeTakeFirst();
}

export async function linkAccount(
  db: Db,
  accountId: string,
  link: { userId: string; by: 'sign_in' | 'admin'; at: Date },
): Promise<void> {
  await db
    .updateTable('host_accounts')
    .set({ user_id: link.userId, linked_by: link.by, linked_at: link.at })
    .where('id', '=', accountId)
    .execute();
}

export async function unlinkAccount(db: Db, accountId: string): Promise<void> {
  await db
    .updateTable('host_accounts')
    .set({ user_id: null, linked_by: null, linked_at: null })
    .where('id', '=', accountId)
    .execute();
}

/** Every account that is linked to this user. */
export async function unlinkPerson(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('host_accounts')
    .set({ user_id: null, linked_by: null, linked_at: null })
    .where('user_id', '=', userId)
    .execute();
}

export async function isMember(db: Db, organizationId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('memberships')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** The hosts of the organization, each with the accounts that are linked to this user. */
export function selectHostsWithAccountsOf(db: Db, organizationId: string, userId: string) {
  return db
    .selectFrom('code_hosts as h')
    .leftJoin('host_accounts as a', (join) =>
      join.onRef('a.code_host_id', '=', 'h.id').on('a.user_id', '=', userId),
    )
    .select(['h.id', 'h.kind', 'h.name', 'h.url', 'h.sign_in_client_id', 'a.id as account_id', 'a.login'])
    .where('h.organization_id', '=', organizationId)
    .orderBy('h.created_at')
    .orderBy('h.id')
    .orderBy('a.login')
    .execute();
}
