/** Queries for importing the pull requests of a repository and for listing what changed. All deciding times are PostgreSQL's. */
import { sql } from 'kysely';
import type { PullRequest } from '../../../engines/code-hosts/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { hostWorks, PRIORITY } from './sync-store.ts';

const CLAIM_SECONDS = 60;
const QUEUED_SECONDS = 600;

export interface ListClaim {
  repositoryId: string;
  claim: string;
}

const now = sql<Date>`clock_timestamp()`;
const claimedUntil = sql<Date>`clock_timestamp() + make_interval(secs => ${sql.lit(CLAIM_SECONDS)})`;
const isFree = sql<boolean>`(r.busy_until IS NULL OR r.busy_until <= clock_timestamp())`;

/** Repositories whose pull requests are to be listed, of hosts that can be asked; locked. */
export function lockDueLists(db: Db, limit: number) {
  return (
    db
      .selectFrom('code_host_repositories as r')
      .innerJoin('code_hosts as h', 'h.id', 'r.code_host_id')
      .select(['r.repository_id as repositoryId', 'r.code_host_id as codeHostId'])
      // Unlike clock_timestamp(), this can be looked up in the index.
      .where(sql<boolean>`r.next_list_at <= statement_timestamp()`)
      .where(isFree)
      .where(
        sql<boolean>`(r.queued_at IS NULL OR r.queued_at <= clock_timestamp() - make_interval(secs => ${sql.lit(QUEUED_SECONDS)}))`,
      )
      .where(hostWorks)
      .orderBy('r.next_list_at')
      .limit(limit)
      .forUpdate('r')
      .skipLocked()
      .execute()
  );
}

export async function markListsQueued(db: Db, ids: string[]): Promise<void> {
  await sql`UPDATE code_host_repositories SET queued_at = clock_timestamp() WHERE repository_id = ANY(${ids}::uuid[])`.execute(
    db,
  );
}

export function claimList(db: Db, { claim, repositoryId }: ListClaim) {
  return db
    .updateTable('code_host_repositories as r')
    .from('code_hosts as h')
    .set({ claim, started_at: now, busy_until: claimedUntil, queued_at: null })
    .whereRef('h.id', '=', 'r.code_host_id')
    .where('r.repository_id', '=', repositoryId)
    .where(sql<boolean>`r.next_list_at <= clock_timestamp()`)
    .where(isFree)
    .where(hostWorks)
    .returning([
      'r.repository_id',
      'r.organization_id',
      'r.host_repository_id',
      'r.full_name',
      'r.connected_at',
      'r.import_step',
      'r.import_cursor',
      'r.seen_until',
      'r.etag',
      'r.failures',
      'h.id as host_id',
      'h.kind as host_kind',
      'h.url as host_url',
      'h.credential as host_credential',
      sql<boolean>`coalesce(r.webhook_seen_at > clock_timestamp() - interval '1 day', false)`.as('webhooks'),
    ])
    .executeTakeFirst();
}

export type ListRow = NonNullable<Awaited<ReturnType<typeof claimList>>>;

export interface ListProgress {
  full_name?: string;
  import_step?: 'open' | 'all' | 'done';
  import_cursor?: string | null;
  imported_at?: Date;
  seen_until?: Date;
  etag?: string | null;
}

/** Records how far it is and renews the claim; false if the claim was lost. */
export async function saveListProgress(
  db: Db,
  { claim, repositoryId }: ListClaim,
  { imported = [], ...set }: ListProgress & { imported?: number[] },
): Promise<boolean> {
  const row = await db
    .updateTable('code_host_repositories')
    .set({
      ...set,
      busy_until: claimedUntil,
      import_total: sql<number>`greatest(import_total, ${Math.max(0, ...imported)}::int)`,
      imported_count: sql<number>`imported_count + ${set.import_step === undefined ? 0 : imported.length}::int`,
    })
    .where('repository_id', '=', repositoryId)
    .where('claim', '=', claim)
    .returning('repository_id')
    .executeTakeFirst();
  return row !== undefined;
}

const UNCLAIMED = { claim: null, busy_until: null } as const;
const nextAfter = (delayMs: number) =>
  sql<Date>`CASE WHEN asked_at > started_at THEN clock_timestamp()
    ELSE clock_timestamp() + make_interval(secs => ${delayMs / 1000}::float8) END`;

export async function finishList(db: Db, claim: ListClaim, delayMs: number): Promise<void> {
  await db
    .updateTable('code_host_repositories')
    .set({
      ...UNCLAIMED,
      failures: 0,
      problem: null,
      problem_at: null,
      listed_at: now,
      next_list_at: nextAfter(delayMs),
    })
    .where('repository_id', '=', claim.repositoryId)
    .where('claim', '=', claim.claim)
    .execute();
}

export async function failList(
  db: Db,
  claim: ListClaim,
  { delayMs, problem }: { delayMs: number; problem: string },
): Promise<void> {
  await db
    .updateTable('code_host_repositories')
    .set({
      ...UNCLAIMED,
      failures: sql<number>`failures + 1`,
      problem,
      problem_at: now,
      next_list_at: sql<Date>`clock_timestamp() + make_interval(secs => ${delayMs / 1000}::float8)`,
    })
    .where('repository_id', '=', claim.repositoryId)
    .where('claim', '=', claim.claim)
    .execute();
}

export async function releaseList(db: Db, claim: ListClaim): Promise<void> {
  await db
    .updateTable('code_host_repositories')
    .set(UNCLAIMED)
    .where('repository_id', '=', claim.repositoryId)
    .where('claim', '=', claim.claim)
    .execute();
}

/** Asks to read those of a list that changed on the host since they were last read. */
export async function askForChanged(db: Db, repositoryId: string, listed: PullRequest[]): Promise<void> {
  const isActive = ({ state }: PullRequest) => state === 'open' || state === 'draft';
  await sql`INSERT INTO pull_request_syncs AS s (repository_id, number, organization_id, code_host_id, priority, due_at, asked_at)
    SELECT r.repository_id, n.number, r.organization_id, r.code_host_id, n.priority, clock_timestamp(), clock_timestamp()
    FROM code_host_repositories r, unnest(${listed.map(({ number }) => number)}::int[],
      ${listed.map((one) => (isActive(one) ? PRIORITY.open : PRIORITY.closed))}::smallint[],
      ${listed.map(({ updatedAt }) => updatedAt)}::timestamptz[]) AS n (number, priority, updated_at)
    WHERE r.repository_id = ${repositoryId}
    ORDER BY n.number
    ON CONFLICT (repository_id, number) DO UPDATE SET asked_at = clock_timestamp(), due_at = clock_timestamp(),
      priority = greatest(s.priority, excluded.priority)
    WHERE (s.due_at IS NULL OR s.due_at > clock_timestamp()) AND (s.host_updated_at IS NULL OR s.host_updated_at <
      (SELECT m.updated_at FROM unnest(${listed.map(({ number }) => number)}::int[], ${listed.map(({ updatedAt }) => updatedAt)}::timestamptz[])
        AS m (number, updated_at) WHERE m.number = s.number LIMIT 1))`.execute(db);
}

export async function selectKnownNumbers(
  db: Db,
  repositoryId: string,
  numbers: number[],
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('pull_requests')
    .select('number')
    .where('repository_id', '=', repositoryId)
    .where('number', '=', sql<number>`ANY(${numbers}::int[])`)
    .execute();
  return new Set(rows.map(({ number }) => number));
}
