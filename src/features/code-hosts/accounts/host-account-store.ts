/** Queries for the accounts that were seen on code hosts. */
import { sql } from 'kysely';
import type { Account } from '../../../engines/code-hosts/index.ts';
import { storable } from '../../../platform/core/text/storable.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import type { Db } from '../../../platform/db/index.ts';

export interface KnownAccount {
  id: string;
  name: string;
  isBot: boolean;
  /** The member it is linked to. */
  userId: string | null;
}

/** Remembers these accounts, and what they are called now. By the host's own ID. */
export async function rememberAccounts(
  db: Db,
  host: { id: string; organizationId: string },
  accounts: Account[],
): Promise<Map<string, KnownAccount>> {
  const unique = [...new Map(accounts.map((account) => [account.id, account])).values()];
  if (unique.length === 0) return new Map();
  // In one order, so that two nodes don't wait for each other.
  unique.sort((one, other) => (one.id < other.id ? -1 : 1));
  await sql`INSERT INTO host_accounts AS known (id, organization_id, code_host_id, host_account_id, login, name, is_bot)
    SELECT a.id, ${host.organizationId}, ${host.id}, a.host_account_id, a.login, coalesce(a.name, a.login), a.is_bot
    FROM unnest(${unique.map(() => uuidv7())}::uuid[], ${unique.map(({ id }) => id)}::text[],
      ${unique.map(({ login }) => storable(login))}::text[], ${unique.map(({ name }) => (name === null ? null : storable(name)))}::text[],
      ${unique.map(({ bot }) => bot)}::boolean[]) AS a (id, host_account_id, login, name, is_bot)
    ON CONFLICT (code_host_id, host_account_id) DO UPDATE SET login = excluded.login, is_bot = excluded.is_bot,
      -- A reply without a display name says nothing about it.
      name = CASE WHEN excluded.name = excluded.login THEN CASE WHEN known.name = known.login THEN excluded.name ELSE known.name END ELSE excluded.name END
    WHERE known.login <> excluded.login OR known.is_bot <> excluded.is_bot
      OR (known.name <> excluded.name AND excluded.name <> excluded.login)`.execute(db);
  const rows = await db
    .selectFrom('host_accounts')
    .select(['id', 'host_account_id', 'name', 'is_bot', 'user_id'])
    .where('code_host_id', '=', host.id)
    .where('host_account_id', '=', sql<string>`ANY(${unique.map(({ id }) => id)}::text[])`)
    .execute();
  return new Map(
    rows.map((row) => [
      row.host_account_id,
      { id: row.id, name: row.name, isBot: row.is_bot, userId: row.user_id },
    ]),
  );
}
