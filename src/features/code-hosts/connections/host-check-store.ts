/** Queries for checking code hosts: their credential, their repositories and who can read them. Times are PostgreSQL's. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

const QUEUED_SECONDS = 600;
const LIST_SECONDS = 15 * 60;
const CHECK_SECONDS = 6 * 60 * 60;
const ACCESS_SECONDS = 60 * 60;
const WEBHOOK_RETRY_SECONDS = 24 * 60 * 60;

const ago = (seconds: number) => sql`clock_timestamp() - make_interval(secs => ${sql.lit(seconds)})`;

export async function askForHostCheck(db: Db, codeHostId: string): Promise<void> {
  await db
    .updateTable('code_hosts')
    .set({ next_check_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', codeHostId)
    .execute();
}

/** Webhooks said that something changed since it was last read. */
const asked = sql<boolean>`(
  h.repositories_asked_at > coalesce(h.repositories_listed_at, '-infinity')
  OR EXISTS (SELECT 1 FROM code_host_repositories r WHERE r.code_host_id = h.id
    AND greatest(h.access_asked_at, r.access_asked_at) > coalesce(r.access_read_at, '-infinity')))`;

/** Hosts that are due and can be asked, locked until the transaction ends. */
export function lockDueHosts(db: Db, limit: number) {
  return db
    .selectFrom('code_hosts as h')
    .select(['h.id', 'h.organization_id'])
    .where('h.state', '<>', 'unauthorized')
    .where('h.credential', 'is not', null)
    .where(sql<boolean>`coalesce(h.paused_until <= clock_timestamp(), true)`)
    .where(sql<boolean>`(coalesce(h.next_check_at <= clock_timestamp(), true) OR ${asked})`)
    .where(sql<boolean>`coalesce(h.check_queued_at <= ${ago(QUEUED_SECONDS)}, true)`)
    .orderBy('h.next_check_at', (order) => order.asc().nullsFirst())
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

export async function markHostChecksQueued(db: Db, ids: string[]): Promise<void> {
  await sql`UPDATE code_hosts SET check_queued_at = clock_timestamp() WHERE id = ANY(${ids}::uuid[])`.execute(
    db,
  );
}

/** Starts a check; undefined when the host is gone or can't be asked. A request from now on leads to another check. */
export function startHostCheck(db: Db, codeHostId: string, everySeconds: number) {
  return db
    .updateTable('code_hosts as h')
    .set({
      check_queued_at: sql<Date>`clock_timestamp()`,
      next_check_at: sql<Date>`clock_timestamp() + make_interval(secs => ${everySeconds})`,
    })
    .where('h.id', '=', codeHostId)
    .where('h.state', '<>', 'unauthorized')
    .where('h.credential', 'is not', null)
    .where(sql<boolean>`coalesce(h.paused_until <= clock_timestamp(), true)`)
    .returning([
      'h.id',
      'h.organization_id',
      'h.kind',
      'h.url',
      'h.name',
      'h.credential',
      'h.webhook_secret',
      sql<Date>`clock_timestamp()`.as('started_at'),
      sql<boolean>`coalesce(h.credential_checked_at <= ${ago(CHECK_SECONDS)}, true)`.as(
        'credential_check_due',
      ),
      sql<boolean>`(coalesce(h.repositories_listed_at <= ${ago(LIST_SECONDS)}, true)
        OR coalesce(h.repositories_asked_at > h.repositories_listed_at, false)
        OR EXISTS (SELECT 1 FROM code_host_selections s WHERE s.code_host_id = h.id AND s.finished_at IS NULL))`.as(
        'list_due',
      ),
    ])
    .executeTakeFirst();
}

export type HostToCheck = NonNullable<Awaited<ReturnType<typeof startHostCheck>>>;

export async function endHostCheck(db: Db, codeHostId: string, more: boolean): Promise<void> {
  await db
    .updateTable('code_hosts')
    .set({ check_queued_at: null, ...(more && { next_check_at: sql<Date>`clock_timestamp()` }) })
    .where('id', '=', codeHostId)
    .execute();
}

export async function markListed(db: Db, codeHostId: string, startedAt: Date): Promise<void> {
  await db
    .updateTable('code_hosts')
    .set({ repositories_listed_at: startedAt })
    .where('id', '=', codeHostId)
    .execute();
}

/** Repositories whose readers are due, those that a webhook named first. */
export function selectAccessDue(db: Db, codeHostId: string, limit: number) {
  return db
    .selectFrom('code_host_repositories as r')
    .innerJoin('code_hosts as h', 'h.id', 'r.code_host_id')
    .select([
      'r.repository_id',
      'r.organization_id',
      'r.full_name',
      sql<Date>`clock_timestamp()`.as('asked_at'),
    ])
    .where('r.code_host_id', '=', codeHostId)
    .where(
      sql<boolean>`(coalesce(r.access_read_at <= ${ago(ACCESS_SECONDS)}, true)
        OR coalesce(greatest(h.access_asked_at, r.access_asked_at) > r.access_read_at, false))`,
    )
    .orderBy(sql`greatest(h.access_asked_at, r.access_asked_at) > r.access_read_at DESC NULLS FIRST`)
    .orderBy('r.access_read_at', (order) => order.asc().nullsFirst())
    .limit(limit)
    .execute();
}

/** Counts up when a webhook is created for more events than before. */
const WEBHOOK_EVENTS = 1;

/** Repositories without a webhook, or with one for fewer events, unless creating it failed recently. */
export function selectWebhookDue(db: Db, codeHostId: string, limit: number) {
  return db
    .selectFrom('code_host_repositories')
    .select(['repository_id', 'full_name'])
    .where('code_host_id', '=', codeHostId)
    .where(
      sql<boolean>`(webhook_state IS NULL OR (webhook_state = 'created' AND webhook_events < ${WEBHOOK_EVENTS}) OR (webhook_state = 'failed' AND webhook_tried_at <= ${ago(WEBHOOK_RETRY_SECONDS)}))`,
    )
    .orderBy('connected_at')
    .limit(limit)
    .execute();
}

export async function writeWebhookState(
  db: Db,
  repositoryId: string,
  state: 'created' | 'unneeded' | 'failed',
  problem: string | null,
): Promise<void> {
  await db
    .updateTable('code_host_repositories')
    .set({
      webhook_state: state,
      webhook_problem: problem,
      webhook_tried_at: sql<Date>`clock_timestamp()`,
      ...(state === 'created' && { webhook_events: WEBHOOK_EVENTS }),
    })
    .where('repository_id', '=', repositoryId)
    .execute();
}
