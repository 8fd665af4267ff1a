/**
 * Queries for which pull requests of code hosts are read again, and by whom: one node at a time holds the claim on a pull request
 * for a minute and renews it while it works, and what is asked for meanwhile is done once more afterwards. All times are PostgreSQL's.
 */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { statusesDueAt } from './statuses-due-store.ts';

const CLAIM_SECONDS = 60;
/** A job that was queued this long ago and hasn't started is queued again. */
const QUEUED_SECONDS = 600;

export const PRIORITY = { closed: 0, open: 1, asked: 2 } as const;

export interface SyncKey {
  repositoryId: string;
  number: number;
}

export interface ClaimedSync extends SyncKey {
  claim: string;
}

const now = sql<Date>`clock_timestamp()`;
const claimedUntil = sql<Date>`clock_timestamp() + make_interval(secs => ${sql.lit(CLAIM_SECONDS)})`;

/** Something happened to these pull requests of a repository; they need not be known. */
export async function askForSyncs(
  db: Db,
  repositoryId: string,
  numbers: number[],
  priority: number = PRIORITY.asked,
): Promise<void> {
  await sql`INSERT INTO pull_request_syncs AS s (repository_id, number, organization_id, code_host_id, priority, due_at, asked_at)
    SELECT r.repository_id, n.number, r.organization_id, r.code_host_id, ${priority}, clock_timestamp(), clock_timestamp()
    FROM code_host_repositories r, (SELECT DISTINCT number FROM unnest(${numbers}::int[]) AS u (number) ORDER BY number) AS n
    WHERE r.repository_id = ${repositoryId}
    ON CONFLICT (repository_id, number) DO UPDATE SET asked_at = clock_timestamp(),
      priority = greatest(s.priority, excluded.priority), due_at = least(s.due_at, clock_timestamp())`.execute(
    db,
  );
}

/** Requests a sync of pull requests with something to send, unless their turn comes anyway. */
export async function askForWaiting(db: Db): Promise<void> {
  await sql`INSERT INTO pull_request_syncs AS s (repository_id, number, organization_id, code_host_id, priority, due_at, asked_at)
    SELECT p.repository_id, p.number, p.organization_id, r.code_host_id, ${PRIORITY.asked}, clock_timestamp(), clock_timestamp()
    FROM (SELECT pull_request_id FROM pull_request_comments WHERE sending = 'waiting'
      UNION SELECT pull_request_id FROM pull_request_verdicts WHERE sending = 'waiting'
      UNION SELECT pull_request_id FROM comment_removals
      UNION SELECT pull_request_id FROM discussions WHERE sending = 'waiting'
      UNION SELECT pull_request_id FROM review_reports WHERE sending = 'waiting'
      UNION SELECT pull_request_id FROM approval_checks WHERE sending = 'waiting') AS w
    JOIN pull_requests p ON p.id = w.pull_request_id
    JOIN code_host_repositories r ON r.repository_id = p.repository_id
    ORDER BY p.repository_id, p.number
    ON CONFLICT (repository_id, number) DO UPDATE
      SET asked_at = clock_timestamp(), priority = ${PRIORITY.asked}, due_at = clock_timestamp()
      WHERE s.failures = 0 AND s.busy_until IS NULL AND (s.due_at IS NULL OR s.due_at > clock_timestamp())`.execute(
    db,
  );
}

/** Locks due syncs of reachable hosts, the most important first, a few of each host at a time. */
export async function lockDueSyncs(
  db: Db,
  perHost: number,
): Promise<(SyncKey & { codeHostId: string; priority: number })[]> {
  const { rows } = await sql<SyncKey & { codeHostId: string; priority: number }>`
    SELECT s.repository_id AS "repositoryId", s.number, h.id AS "codeHostId", s.priority
    FROM code_hosts h CROSS JOIN LATERAL (
      SELECT d.repository_id, d.number, d.priority FROM pull_request_syncs d
      WHERE d.code_host_id = h.id AND d.due_at <= clock_timestamp()
        AND (d.busy_until IS NULL OR d.busy_until <= clock_timestamp())
        AND (d.queued_at IS NULL OR d.queued_at <= clock_timestamp() - make_interval(secs => ${QUEUED_SECONDS}))
      ORDER BY d.priority DESC, d.due_at
      LIMIT greatest(0, ${perHost}::int - (SELECT count(*)::int FROM pull_request_syncs q WHERE q.code_host_id = h.id
        AND q.queued_at > clock_timestamp() - make_interval(secs => ${QUEUED_SECONDS})))
      FOR UPDATE SKIP LOCKED) AS s
    WHERE ${hostWorks}`.execute(db);
  return rows;
}

/** Whether anything may be asked of the host `h` now. */
export const hostWorks = sql<boolean>`(h.credential IS NOT NULL AND h.state <> 'unauthorized'
  AND (h.paused_until IS NULL OR h.paused_until <= clock_timestamp()))`;

export async function markSyncsQueued(db: Db, keys: SyncKey[]): Promise<void> {
  await sql`UPDATE pull_request_syncs s SET queued_at = clock_timestamp()
    FROM unnest(${keys.map((key) => key.repositoryId)}::uuid[], ${keys.map((key) => key.number)}::int[]) AS k (repository_id, number)
    WHERE s.repository_id = k.repository_id AND s.number = k.number`.execute(db);
}

/** Nothing else was asked for or is due, so far as the row says before it is claimed. */
const onlyStatusesDue = sql<boolean>`coalesce(s.full_due_at > clock_timestamp() AND s.asked_at <= s.started_at
  AND s.failures = 0, false)`;

/** Claims a due pull request of a host that can be asked; undefined if another node has it or there is nothing to do. */
export function claimSync(db: Db, { claim, number, repositoryId }: ClaimedSync) {
  return db
    .updateTable('pull_request_syncs as s')
    .from('code_host_repositories as r')
    .innerJoin('code_hosts as h', 'h.id', 'r.code_host_id')
    .set({
      ...{ claim, started_at: now, busy_until: claimedUntil, queued_at: null },
      statuses_only: onlyStatusesDue,
      // Until everything was read: if that ends early, it is still due.
      full_due_at: sql<Date | null>`CASE WHEN ${onlyStatusesDue} THEN s.full_due_at END`,
    })
    .whereRef('r.repository_id', '=', 's.repository_id')
    .where('s.repository_id', '=', repositoryId)
    .where('s.number', '=', number)
    .where(sql<boolean>`s.due_at <= clock_timestamp()`)
    .where(sql<boolean>`(s.busy_until IS NULL OR s.busy_until <= clock_timestamp())`)
    .where(hostWorks)
    .returning([
      's.failures',
      's.synced_at',
      's.statuses_only',
      's.organization_id',
      'r.full_name',
      'r.connected_at',
      'h.id as host_id',
      'h.kind as host_kind',
      'h.url as host_url',
      'h.credential as host_credential',
      sql<boolean>`coalesce(r.webhook_seen_at > clock_timestamp() - interval '1 day', false)`.as('webhooks'),
    ])
    .executeTakeFirst();
}

export type SyncRow = NonNullable<Awaited<ReturnType<typeof claimSync>>>;

/** Whether the claim still holds. Within a transaction it then holds until its end. */
export async function renewSyncClaim(db: Db, { claim, number, repositoryId }: ClaimedSync): Promise<boolean> {
  const row = await db
    .updateTable('pull_request_syncs')
    .set({ busy_until: claimedUntil })
    .where('repository_id', '=', repositoryId)
    .where('number', '=', number)
    .where('claim', '=', claim)
    .returning('number')
    .executeTakeFirst();
  return row !== undefined;
}

const UNCLAIMED = { claim: null, busy_until: null } as const;

const after = (milliseconds: number | null) =>
  sql<Date | null>`clock_timestamp() + make_interval(secs => ${milliseconds === null ? null : milliseconds / 1000}::float8)`;

/** At once if something happened since it was claimed, else at the earliest of these; null if there is none. */
const dueAfter = (full: ReturnType<typeof sql>, statusesAgainMs: number | null) =>
  sql<Date | null>`CASE WHEN asked_at > started_at THEN clock_timestamp() ELSE least(${full}, ${after(statusesAgainMs)},
    CASE WHEN statuses_asked_at > started_at THEN ${statusesDueAt(sql`started_at`)} END) END`;

/** When to look again, in milliseconds; null: when something happens. */
interface Again {
  againMs: number | null;
  statusesAgainMs: number | null;
}

export async function finishSync(
  db: Db,
  { claim, number, repositoryId }: ClaimedSync,
  { againMs, hostUpdatedAt, statusesAgainMs }: Again & { hostUpdatedAt: Date | null },
): Promise<void> {
  await db
    .updateTable('pull_request_syncs')
    .set({
      ...UNCLAIMED,
      failures: 0,
      problem: null,
      synced_at: now,
      priority: sql<number>`CASE WHEN asked_at > started_at THEN priority ELSE ${PRIORITY.open} END`,
      due_at: dueAfter(after(againMs), statusesAgainMs),
      full_due_at: after(againMs),
      ...(hostUpdatedAt && { host_updated_at: hostUpdatedAt }),
    })
    .where('repository_id', '=', repositoryId)
    .where('number', '=', number)
    .where('claim', '=', claim)
    .execute();
}

/** Everything else stays as due as it was. */
export async function finishStatusesSync(
  db: Db,
  { claim, number, repositoryId }: ClaimedSync,
  { statusesAgainMs }: Pick<Again, 'statusesAgainMs'>,
): Promise<void> {
  await db
    .updateTable('pull_request_syncs')
    .set({ ...UNCLAIMED, due_at: dueAfter(sql`full_due_at`, statusesAgainMs) })
    .where('repository_id', '=', repositoryId)
    .where('number', '=', number)
    .where('claim', '=', claim)
    .execute();
}

/** Another attempt after the delay; null: only when something happens. */
export async function failSync(
  db: Db,
  { claim, number, repositoryId }: ClaimedSync,
  failure: { problem: string; delayMs: number | null },
): Promise<void> {
  const seconds = failure.delayMs === null ? null : failure.delayMs / 1000;
  await db
    .updateTable('pull_request_syncs')
    .set({
      ...UNCLAIMED,
      failures: sql<number>`failures + 1`,
      problem: failure.problem,
      due_at: sql<Date | null>`clock_timestamp() + make_interval(secs => ${seconds}::float8)`,
    })
    .where('repository_id', '=', repositoryId)
    .where('number', '=', number)
    .where('claim', '=', claim)
    .execute();
}

/** Without a result: it stays as due as it was, for when the host can be asked again. */
export async function releaseSync(db: Db, { claim, number, repositoryId }: ClaimedSync): Promise<void> {
  await db
    .updateTable('pull_request_syncs')
    .set(UNCLAIMED)
    .where('repository_id', '=', repositoryId)
    .where('number', '=', number)
    .where('claim', '=', claim)
    .execute();
}
