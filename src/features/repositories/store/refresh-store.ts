/**
 * Queries for refreshing repositories. A worker holds a claim on a repository for a minute and renews it while it works: one
 * node at a time does the work, another takes over if it dies, and recorded refs never go back in time. All times are
 * PostgreSQL's.
 */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { type RefRow, replaceRefs } from './ref-store.ts';

type RepositoryState = 'waiting' | 'cloning' | 'ready' | 'failed';

const CLAIM_SECONDS = 60;
/** A job that was queued this long ago and hasn't started is queued again. */
const QUEUED_SECONDS = 600;

const claimedUntil = sql<Date>`clock_timestamp() + make_interval(secs => ${sql.lit(CLAIM_SECONDS)})`;
const isFree = sql<boolean>`(busy_until IS NULL OR busy_until <= clock_timestamp())`;

export interface Claim {
  repositoryId: string;
  token: string;
}

/** Claims the repository if it is unclaimed and, by default, due; otherwise undefined. */
export async function claimRefresh(
  db: Db,
  { repositoryId, token }: Claim,
  { onlyWhenDue }: { onlyWhenDue: boolean },
): Promise<{ failures: number } | undefined> {
  return db
    .updateTable('repositories')
    .set({
      refresh_token: token,
      refresh_started_at: sql<Date>`clock_timestamp()`,
      refresh_queued_at: null,
      busy_until: claimedUntil,
      activity: JSON.stringify({ phase: 'connecting' }),
      state: sql<RepositoryState>`CASE state WHEN 'ready' THEN state ELSE 'cloning' END`,
    })
    .where('id', '=', repositoryId)
    .where('url', 'is not', null)
    .where(isFree)
    .$if(onlyWhenDue, (query) => query.where(sql<boolean>`next_refresh_at <= clock_timestamp()`))
    .returning('failures')
    .executeTakeFirst();
}

/** Renews the claim and writes progress; false when the claim is lost or the repository was removed. */
export async function renewClaim(
  db: Db,
  { repositoryId, token }: Claim,
  activity: Record<string, unknown>,
): Promise<boolean> {
  const row = await db
    .updateTable('repositories')
    .set({ busy_until: claimedUntil, activity: JSON.stringify(activity) })
    .where('id', '=', repositoryId)
    .where('refresh_token', '=', token)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks the repository until the transaction ends; undefined when the claim is lost. */
export function lockClaimedRefresh(db: Db, { repositoryId, token }: Claim) {
  return db
    .selectFrom('repositories')
    .select(['id', 'organization_id', 'name', 'visibility', 'refs_digest'])
    .select([
      sql<string>`refresh_started_at::text`.as('started_at'),
      sql<boolean>`coalesce(refs_as_of > refresh_started_at, false)`.as('has_newer'),
    ])
    .where('id', '=', repositoryId)
    .where('refresh_token', '=', token)
    .forUpdate()
    .executeTakeFirst();
}

export interface FoundRefs {
  objectFormat: 'sha1' | 'sha256';
  defaultBranch: string | null;
  headCommit: string | null;
  refs: RefRow[];
  /** Branches and tags whose names can't be stored. */
  leftOut: number;
  digest: Buffer;
}

/** Replaces the recorded state with the origin's, which is not older than `asOf`; the repository is ready from here on. */
export async function writeRefs(
  db: Db,
  repository: { id: string; organization_id: string; refs_digest: Buffer | null },
  found: FoundRefs,
  asOf: string,
): Promise<void> {
  if (!repository.refs_digest?.equals(found.digest)) {
    await replaceRefs(db, { id: repository.id, organizationId: repository.organization_id }, found.refs);
  }
  const branches = found.refs.filter((ref) => ref.kind === 'branch').length;
  await db
    .updateTable('repositories')
    .set({
      state: 'ready',
      object_format: found.objectFormat,
      default_branch: found.defaultBranch,
      head_commit: found.headCommit,
      branch_count: branches,
      tag_count: found.refs.length - branches,
      refs_digest: found.digest,
      refs_as_of: sql<Date>`${asOf}::timestamptz`,
      refreshed_at: sql<Date>`clock_timestamp()`,
      problem: null,
      problem_at: null,
      failures: 0,
    })
    .where('id', '=', repository.id)
    .execute();
}

/** The next refresh after this delay, or immediately if one was requested since this refresh started. */
const nextTime = (delayMs: number) =>
  sql<Date>`CASE WHEN refresh_asked_at > refresh_started_at THEN clock_timestamp()
    ELSE clock_timestamp() + make_interval(secs => ${delayMs / 1000}) END`;

const UNCLAIMED = { refresh_token: null, busy_until: null, activity: null } as const;

export async function finishRefresh(db: Db, { repositoryId, token }: Claim, delayMs: number): Promise<void> {
  await db
    .updateTable('repositories')
    .set({ ...UNCLAIMED, next_refresh_at: nextTime(delayMs) })
    .where('id', '=', repositoryId)
    .where('refresh_token', '=', token)
    .execute();
}

/** A repository that was cloned once stays ready: it can be searched in its last state. */
export async function failRefresh(
  db: Db,
  { repositoryId, token }: Claim,
  { delayMs, problem }: { delayMs: number; problem: string },
): Promise<void> {
  await db
    .updateTable('repositories')
    .set({
      ...UNCLAIMED,
      next_refresh_at: nextTime(delayMs),
      state: sql<RepositoryState>`CASE state WHEN 'ready' THEN state ELSE 'failed' END`,
      problem,
      problem_at: sql<Date>`clock_timestamp()`,
      failures: sql<number>`failures + 1`,
    })
    .where('id', '=', repositoryId)
    .where('refresh_token', '=', token)
    .execute();
}

/** Releases the claim without a result: the repository stays as due as it was. */
export async function releaseClaim(db: Db, { repositoryId, token }: Claim): Promise<void> {
  await db
    .updateTable('repositories')
    .set({
      ...UNCLAIMED,
      state: sql<RepositoryState>`CASE state WHEN 'cloning' THEN 'waiting' ELSE state END`,
    })
    .where('id', '=', repositoryId)
    .where('refresh_token', '=', token)
    .execute();
}

/** Repositories that are due and unclaimed, locked until the transaction ends. */
export function lockDueRefreshes(db: Db, limit: number) {
  return db
    .selectFrom('repositories')
    .select([
      'id',
      'organization_id',
      sql<boolean>`coalesce(refresh_asked_at > refresh_started_at, refresh_asked_at IS NOT NULL)`.as('asked'),
    ])
    .where(sql<boolean>`next_refresh_at <= clock_timestamp()`)
    .where(isFree)
    .where(
      sql<boolean>`(refresh_queued_at IS NULL OR refresh_queued_at <= clock_timestamp() - make_interval(secs => ${sql.lit(QUEUED_SECONDS)}))`,
    )
    .orderBy('next_refresh_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

export async function markRefreshQueued(db: Db, ids: string[]): Promise<void> {
  await db
    .updateTable('repositories')
    .set({ refresh_queued_at: sql<Date>`clock_timestamp()` })
    .where(sql<boolean>`id = ANY(${ids}::uuid[])`)
    .execute();
}

/** The URL and credential to fetch with, and the code host that it is on. */
export function selectOrigin(db: Db, repositoryId: string) {
  return db
    .selectFrom('repositories as r')
    .leftJoin('code_hosts as h', 'h.id', 'r.code_host_id')
    .select(['r.url', 'r.added_by_operator', 'r.credential', 'r.refs_digest', 'h.kind as host_kind'])
    .where('r.id', '=', repositoryId)
    .executeTakeFirst();
}

/** A node's mirror must match the URL and the recorded refs. */
export function selectExpectedMirror(db: Db, repositoryId: string) {
  return db
    .selectFrom('repositories')
    .select(['url', 'refs_digest'])
    .where('id', '=', repositoryId)
    .executeTakeFirst();
}

export async function selectExistingRepositories(db: Db, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('repositories')
    .select('id')
    .where(sql<boolean>`id = ANY(${ids}::uuid[])`)
    .execute();
  return new Set(rows.map((row) => row.id));
}
