/** Queries for managing the connections of an organization to code hosts. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { forgetSubject } from '../../inbox/index.ts';
import { releaseFromCodeHost } from '../../repositories/index.ts';

/** Locks the organization, so that hosts are counted and added one at a time. */
export async function lockCodeHosts(db: Db, organizationId: string): Promise<void> {
  await db.selectFrom('organizations').select('id').where('id', '=', organizationId).forUpdate().execute();
}

export async function countCodeHosts(db: Db, organizationId: string): Promise<number> {
  const row = await db
    .selectFrom('code_hosts')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Everything that is shown of a host: never its secrets. */
function shown(db: Db, organizationId: string) {
  return db
    .selectFrom('code_hosts as h')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('code_host_repositories as r')
          .select([
            sql<number>`count(*)::int`.as('repository_count'),
            sql<number>`count(*) FILTER (WHERE r.webhook_state = 'failed')::int`.as('webhook_failures'),
            sql<string | null>`min(r.webhook_problem)`.as('webhook_problem'),
            sql<number>`count(*) FILTER (WHERE r.access_problem IS NOT NULL)::int`.as('access_failures'),
            sql<string | null>`min(r.access_problem)`.as('access_problem'),
            sql<number>`count(*) FILTER (WHERE r.statuses_problem IS NOT NULL)::int`.as('statuses_failures'),
            sql<string | null>`min(r.statuses_problem)`.as('statuses_problem'),
          ])
          .whereRef('r.code_host_id', '=', 'h.id')
          .as('counted'),
      (join) => join.onTrue(),
    )
    .select([
      'h.id',
      'h.kind',
      'h.name',
      'h.url',
      'h.credential_kind',
      'h.account_login',
      'h.credential_expires_at',
      'h.state',
      'h.problem',
      'h.problem_at',
      'h.paused_until',
      'h.missing',
      'h.credential_checked_at',
      'h.webhook_seen_at',
      'h.app_url',
      'h.sign_in_client_id',
      'h.created_at',
      'h.updated_at',
      'counted.repository_count',
      'counted.webhook_failures',
      'counted.webhook_problem',
      'counted.access_failures',
      'counted.access_problem',
      'counted.statuses_failures',
      'counted.statuses_problem',
    ])
    .where('h.organization_id', '=', organizationId);
}

export function selectShownHosts(db: Db, organizationId: string) {
  return shown(db, organizationId).orderBy('h.created_at').orderBy('h.id').execute();
}

export type ShownHostRow = Awaited<ReturnType<typeof selectShownHosts>>[number];

export function selectShownHost(
  db: Db,
  organizationId: string,
  codeHostId: string,
): Promise<ShownHostRow | undefined> {
  return shown(db, organizationId).where('h.id', '=', codeHostId).executeTakeFirst();
}

/** Locks the host until the transaction ends. */
export function lockCodeHost(db: Db, organizationId: string, codeHostId: string) {
  return db
    .selectFrom('code_hosts')
    .select(['id', 'kind', 'name', 'url', 'credential_kind'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', codeHostId)
    .forUpdate()
    .executeTakeFirst();
}

export interface CodeHostChange {
  name?: string;
  credential?: Buffer;
  sign_in_client_id?: string | null;
  sign_in_secret?: Buffer | null;
  app_url?: string;
  updated_at?: Date;
}

export async function updateCodeHost(
  db: Db,
  organizationId: string,
  codeHostId: string,
  values: CodeHostChange,
): Promise<void> {
  await db
    .updateTable('code_hosts')
    .set(values)
    .where('organization_id', '=', organizationId)
    .where('id', '=', codeHostId)
    .execute();
}

export interface CheckedCredential {
  accountId: string;
  accountLogin: string;
  expiresAt: Date | null;
  version: string | null;
  missing: { permission: string; neededFor: string }[];
}

/** Writes what the host reported about the credential. */
export async function writeCredentialCheck(
  db: Db,
  codeHostId: string,
  checked: CheckedCredential,
): Promise<void> {
  await db
    .updateTable('code_hosts')
    .set({
      account_id: checked.accountId,
      account_login: checked.accountLogin,
      credential_expires_at: checked.expiresAt,
      version: checked.version,
      missing: JSON.stringify(checked.missing),
      credential_checked_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', codeHostId)
    .execute();
}

/** Its repositories stay, and no longer follow the host. Returns how many there are. */
export async function deleteCodeHost(db: Db, organizationId: string, codeHostId: string): Promise<number> {
  const released = await releaseFromCodeHost(db, organizationId, codeHostId);
  // Events have no foreign key to their subject.
  await forgetSubject(db, organizationId, codeHostId);
  await db
    .deleteFrom('code_hosts')
    .where('organization_id', '=', organizationId)
    .where('id', '=', codeHostId)
    .execute();
  return released;
}
