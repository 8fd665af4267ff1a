/** Queries for trials of reviewers on past pull requests. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { type Reader, visibleRepositories } from '../repositories/index.ts';
import type { TrialFinding } from './contract.ts';

/** A trial that made no progress for so long was lost. Longer than one review of one head may take. */
const LOST_AFTER_MINUTES = 15;
/** Heads of a pull request that a trial looks at. */
const MAX_HEADS = 4;

export interface NewTrial {
  id: string;
  organizationId: string;
  reviewerId: string | null;
  version: number | null;
  codeHostId: string | null;
  userId: string;
  at: Date;
}

/** False when another one is running in the organization. */
export async function insertTrial(db: Db, trial: NewTrial): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO review_trials (id, organization_id, reviewer_id, version, code_host_id, started_by, state, created_at)
    VALUES (${trial.id}, ${trial.organizationId}, ${trial.reviewerId}, ${trial.version}, ${trial.codeHostId}, ${trial.userId}, 'running', ${trial.at})
    ON CONFLICT (organization_id) WHERE state = 'running' DO NOTHING RETURNING id`.execute(db);
  return rows.length > 0;
}

/** The newest pull requests that the starter sees: where a version of a reviewer applies, or those that were merged on a code host. */
export async function insertTrialPullRequests(
  db: Db,
  reader: Reader,
  { codeHostId, id, reviewerId, version }: NewTrial,
  limit: number,
): Promise<number> {
  const chosen = visibleRepositories(db, reader)
    .innerJoin('pull_requests as p', 'p.repository_id', 'r.id')
    .select(['p.id', 'p.repository_id', 'p.updated_at', 'p.organization_id'])
    .where('p.organization_id', '=', reader.organizationId)
    .where('p.head_commit', 'is not', null)
    .where('p.merge_base', 'is not', null)
    .$if(codeHostId !== null, (query) =>
      query
        .where('p.state', '=', 'merged')
        // A condition rather than a value to compare with, which PostgreSQL takes for rare: it would read all that were merged.
        .where(
          sql<boolean>`(SELECT c.code_host_id = ${codeHostId} FROM code_host_repositories c WHERE c.repository_id = r.id)`,
        ),
    )
    .$if(reviewerId !== null, (query) =>
      query.where(sql<boolean>`((SELECT v.built_in FROM reviewers v WHERE v.id = ${reviewerId}) IS NOT NULL
        OR EXISTS (SELECT FROM reviewer_scopes s WHERE s.reviewer_id = ${reviewerId} AND s.version = ${version}
          AND (s.repository_id IS NULL OR s.repository_id = r.id)))`),
    )
    .orderBy('p.updated_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(limit);
  const { rows } = await sql`
    INSERT INTO review_trial_pull_requests (trial_id, position, organization_id, repository_id, pull_request_id, findings)
    SELECT ${id}, row_number() OVER (ORDER BY c.updated_at DESC, c.id DESC), c.organization_id, c.repository_id, c.id, '[]'
    FROM (${chosen}) c RETURNING position`.execute(db);
  return rows.length;
}

/** Marks running trials that nobody works on. */
export async function claimTrials(db: Db): Promise<{ id: string; organizationId: string }[]> {
  const { rows } = await sql<{ id: string; organizationId: string }>`
    UPDATE review_trials t SET queued_at = clock_timestamp()
    WHERE t.state = 'running'
      AND (t.queued_at IS NULL OR t.queued_at < clock_timestamp() - make_interval(mins => ${LOST_AFTER_MINUTES}))
    RETURNING t.id, t.organization_id AS "organizationId"`.execute(db);
  return rows;
}

export function selectTrial(db: Db, organizationId: string, id: string) {
  return db
    .selectFrom('review_trials')
    .select(['id', 'organization_id', 'reviewer_id', 'version', 'code_host_id', 'started_by', 'state'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** False when it is no longer running. */
export async function noteProgress(db: Db, trialId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('review_trials')
    .set({ queued_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', trialId)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export function selectNextPullRequest(db: Db, trialId: string) {
  return db
    .selectFrom('review_trial_pull_requests as t')
    .innerJoin('pull_requests as p', 'p.id', 't.pull_request_id')
    .innerJoin('repositories as r', 'r.id', 't.repository_id')
    .select(['t.position', 't.pull_request_id', 't.repository_id', 't.organization_id'])
    .select(['p.head_commit', 'p.merge_base', 'r.head_commit as default_commit'])
    .where('t.trial_id', '=', trialId)
    .where('t.reviewed_at', 'is', null)
    .orderBy('t.position')
    .limit(1)
    .executeTakeFirst();
}

/** The first and the newest heads, with what each is compared with. */
export async function selectHeads(
  db: Db,
  pullRequestId: string,
): Promise<{ commit: string; merge_base: string }[]> {
  const { rows } = await sql<{ commit: string; merge_base: string }>`
    SELECT commit, merge_base FROM (
      SELECT h.*, row_number() OVER (ORDER BY position DESC) AS newest FROM pull_request_heads h
      WHERE pull_request_id = ${pullRequestId} AND merge_base IS NOT NULL) h
    WHERE newest < ${MAX_HEADS} OR position = 1 ORDER BY position`.execute(db);
  return rows;
}

/** Findings of real reviews on a pull request. */
export function selectSaid(db: Db, pullRequestId: string) {
  return db
    .selectFrom('review_candidates as c')
    .innerJoin('discussions as d', 'd.id', 'c.discussion_id')
    .innerJoin('reviewers as v', 'v.id', 'c.reviewer_id')
    .select(['c.finding_key', 'c.check_name', 'c.title', 'c.file', 'c.line', 'c.quote', 'c.reviewer_id'])
    .select(['v.title as reviewer_title', 'd.status', 'd.status_cause', 'c.evidence', 'c.producer'])
    .where('c.pull_request_id', '=', pullRequestId)
    .where('c.discussion_id', 'is not', null)
    .where('c.fate', '=', 'finding')
    .execute();
}

/** Only once, however many work on it. */
export async function updateTrialPullRequest(
  db: Db,
  at: { trialId: string; position: number },
  result: { findings: TrialFinding[]; problem: string | null; at: Date },
): Promise<void> {
  await db
    .updateTable('review_trial_pull_requests')
    .set({ findings: JSON.stringify(result.findings), problem: result.problem, reviewed_at: result.at })
    .where('trial_id', '=', at.trialId)
    .where('position', '=', at.position)
    .where('reviewed_at', 'is', null)
    .execute();
}

export async function finishTrial(
  db: Db,
  trialId: string,
  state: 'done' | 'cancelled',
  at: Date,
): Promise<void> {
  await db
    .updateTable('review_trials')
    .set({ state, finished_at: at })
    .where('id', '=', trialId)
    .where('state', '=', 'running')
    .execute();
}

export interface TrialRow {
  id: string;
  reviewer_id: string | null;
  version: number | null;
  code_host_id: string | null;
  state: 'running' | 'done' | 'cancelled';
  started_by_name: string;
  created_at: Date;
  finished_at: Date | null;
  pull_requests: number;
  reviewed: number;
  failed: number;
  added: number;
  added_fixed: number;
  same: number;
  same_fixed: number;
  lost: number;
  lost_fixed: number;
}

/** With what they found in repositories that the reader sees; newest first. */
export async function selectTrials(
  db: Db,
  reader: Reader,
  filter: { id?: string; reviewerId?: string; codeHostId?: string },
  limit: number,
): Promise<TrialRow[]> {
  const seen = visibleRepositories(db, reader).select('r.id').where(sql<boolean>`r.id = p.repository_id`);
  const chosen = db
    .selectFrom('review_trials as t')
    .selectAll('t')
    .where('t.organization_id', '=', reader.organizationId)
    .$if(filter.id !== undefined, (query) => query.where('t.id', '=', filter.id!))
    .$if(filter.reviewerId !== undefined, (query) => query.where('t.reviewer_id', '=', filter.reviewerId!))
    .$if(filter.codeHostId !== undefined, (query) => query.where('t.code_host_id', '=', filter.codeHostId!))
    .orderBy('t.created_at', 'desc')
    .orderBy('t.id', 'desc')
    .limit(limit);
  const { rows } = await sql<TrialRow>`
    SELECT t.id, t.reviewer_id, t.version, t.code_host_id, t.state, u.name AS started_by_name, t.created_at, t.finished_at, n.*, f.*
    FROM (${chosen}) t
    JOIN users u ON u.id = t.started_by
    CROSS JOIN LATERAL (SELECT count(*)::int AS pull_requests, count(p.reviewed_at)::int AS reviewed, count(p.problem)::int AS failed
      FROM review_trial_pull_requests p WHERE p.trial_id = t.id AND EXISTS (${seen})) n
    CROSS JOIN LATERAL (SELECT
        count(*) FILTER (WHERE o = 'added')::int AS added, count(*) FILTER (WHERE o = 'added' AND x)::int AS added_fixed,
        count(*) FILTER (WHERE o = 'same')::int AS same, count(*) FILTER (WHERE o = 'same' AND x)::int AS same_fixed,
        count(*) FILTER (WHERE o = 'lost')::int AS lost, count(*) FILTER (WHERE o = 'lost' AND x)::int AS lost_fixed
      FROM review_trial_pull_requests p, jsonb_to_recordset(p.findings) AS e (outcome text, fixed boolean),
        LATERAL (SELECT e.outcome AS o, e.fixed AS x) short
      WHERE p.trial_id = t.id AND EXISTS (${seen})) f
    ORDER BY t.created_at DESC, t.id DESC`.execute(db);
  return rows;
}

export interface TrialPullRequestRow {
  pull_request_id: string;
  number: number;
  repository_name: string;
  problem: string | null;
  findings: TrialFinding[];
}

/** Only pull requests with something to show, in repositories that the reader sees. */
export async function selectTrialPullRequests(
  db: Db,
  reader: Reader,
  trialId: string,
): Promise<TrialPullRequestRow[]> {
  const rows = await visibleRepositories(db, reader)
    .innerJoin('review_trial_pull_requests as t', 't.repository_id', 'r.id')
    .innerJoin('pull_requests as p', 'p.id', 't.pull_request_id')
    .select(['t.pull_request_id', 'p.number', 'r.name as repository_name', 't.problem', 't.findings'])
    .where('t.trial_id', '=', trialId)
    .where(sql<boolean>`(t.problem IS NOT NULL OR t.findings <> '[]')`)
    .orderBy('t.position')
    .execute();
  return rows.map((row) => ({ ...row, findings: row.findings as TrialFinding[] }));
}

export async function selectHostExists(db: Db, organizationId: string, codeHostId: string): Promise<boolean> {
  const row = await db
    .selectFrom('code_hosts')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', codeHostId)
    .executeTakeFirst();
  return row !== undefined;
}
