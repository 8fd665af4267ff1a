/** Queries for reviews and their candidates. */
import { sql } from 'kysely';
import type {
  CheckRun,
  Claim,
  Evidence,
  JudgedCandidate,
  NotReviewed,
  OtherChange,
  Producer,
} from '../../../engines/review/contract/code-review.ts';
import type { Db } from '../../../platform/db/index.ts';
import { ACTIVE_PULL_REQUEST_STATES } from '../../pull-requests/index.ts';

/** In whose name the service approves. */
export const SERVICE_NAME = 'Countersign';
/** A statement takes at most 65,535 parameters. */
const ROWS_PER_STATEMENT = 1000;

export interface NewRun {
  id: string;
  organizationId: string;
  repositoryId: string;
  pullRequestId: string;
  trigger: 'opened' | 'pushed' | 'ready' | 'resolved' | 'requested' | 'agent';
  requestedBy: string | null;
  headCommit: string;
  mergeBase: string;
  state: 'done' | 'failed' | 'skipped';
  problem: string | null;
  files: number;
  addedLines: number;
  moreFiles: number;
  notReviewed: NotReviewed[];
  checks: CheckRun[];
  startedAt: Date;
  finishedAt: Date;
}

export async function insertRun(db: Db, run: NewRun): Promise<void> {
  await db
    .insertInto('review_runs')
    .values({
      id: run.id,
      organization_id: run.organizationId,
      repository_id: run.repositoryId,
      pull_request_id: run.pullRequestId,
      trigger: run.trigger,
      requested_by: run.requestedBy,
      head_commit: run.headCommit,
      merge_base: run.mergeBase,
      state: run.state,
      problem: run.problem,
      files: run.files,
      added_lines: run.addedLines,
      more_files: run.moreFiles,
      not_reviewed: JSON.stringify(run.notReviewed),
      checks: JSON.stringify(run.checks),
      started_at: run.startedAt,
      finished_at: run.finishedAt,
    })
    .execute();
}

export interface NewCandidate extends JudgedCandidate {
  reviewerId: string;
  discussionId: string | null;
}

export async function insertCandidates(
  db: Db,
  run: Pick<NewRun, 'id' | 'organizationId' | 'pullRequestId'>,
  candidates: NewCandidate[],
): Promise<void> {
  for (let from = 0; from < candidates.length; from += ROWS_PER_STATEMENT) {
    await insertSome(db, run, candidates.slice(from, from + ROWS_PER_STATEMENT), from);
  }
}

async function insertSome(
  db: Db,
  run: Pick<NewRun, 'id' | 'organizationId' | 'pullRequestId'>,
  candidates: NewCandidate[],
  firstPosition: number,
): Promise<void> {
  await db
    .insertInto('review_candidates')
    .values(
      candidates.map((each, index) => ({
        run_id: run.id,
        position: firstPosition + index,
        organization_id: run.organizationId,
        pull_request_id: run.pullRequestId,
        reviewer_id: each.reviewerId,
        check_name: each.check,
        claim: each.claim,
        subject: each.subject,
        title: each.title,
        scenario: each.scenario,
        file: each.file,
        side: each.side,
        line: each.line,
        quote: each.quote,
        evidence: JSON.stringify(each.evidence),
        command: each.command ?? null,
        fix: each.fix ?? null,
        proof: each.proof ?? null,
        confirmed_by: each.confirmedBy ?? null,
        producer: each.producer ? JSON.stringify(each.producer) : null,
        finding_key: each.key,
        fate: each.fate.kind,
        fate_reason: 'reason' in each.fate ? each.fate.reason : null,
        discussion_id: each.discussionId,
      })),
    )
    .execute();
}

/** The findings of a pull request that are discussions, with the status of each. */
export async function selectRaised(db: Db, pullRequestId: string) {
  const rows = await db
    .selectFrom('review_candidates as c')
    .innerJoin('discussions as d', 'd.id', 'c.discussion_id')
    .innerJoin('reviewers as v', 'v.id', 'c.reviewer_id')
    .select(['c.finding_key as key', 'c.check_name as check', 'c.subject', 'c.title', 'c.scenario'])
    .select(['c.claim', 'c.proof', 'c.producer', 'c.reviewer_id', 'v.built_in', 'v.file_path'])
    .select(['d.id as discussion_id', 'd.status', 'd.status_cause', 'd.host_thread_id'])
    .where('c.pull_request_id', '=', pullRequestId)
    .where('c.discussion_id', 'is not', null)
    .where('c.fate', '=', 'finding')
    .execute();
  return rows.map(({ built_in, claim, file_path, producer, ...row }) => ({
    ...row,
    claim: claim as Claim,
    reviewer: built_in ?? (file_path === null ? `custom:${row.reviewer_id}` : `file:${file_path}`),
    ...(producer !== null && { producer: producer as Producer }),
  }));
}

/** The keys among these that are further places of a finding that was raised on the pull request. */
export async function selectListed(db: Db, pullRequestId: string, keys: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('review_candidates')
    .select('finding_key')
    .distinct()
    .where('pull_request_id', '=', pullRequestId)
    .where('fate', '=', 'grouped')
    .where('finding_key', '=', sql<string>`ANY(${keys}::text[])`)
    .execute();
  return new Set(rows.map(({ finding_key }) => finding_key));
}

/** The service's own latest review of a pull request. */
export function selectOwnVerdict(db: Db, pullRequestId: string) {
  return db
    .selectFrom('pull_request_verdicts')
    .select(['id', 'verdict', 'commit', 'base_branch', 'dismissed_at'])
    .where('pull_request_id', '=', pullRequestId)
    .where('user_id', 'is', null)
    .where('account_id', 'is', null)
    .where('name', '=', SERVICE_NAME)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Every name of the author: here, their email address, and their login and name on the code host. */
export async function selectAuthorNames(db: Db, pullRequestId: string): Promise<string[]> {
  const row = await db
    .selectFrom('pull_requests as p')
    .leftJoin('host_accounts as a', 'a.id', 'p.author_account_id')
    .leftJoin('users as u', (join) => join.on(sql<boolean>`u.id = coalesce(p.author_user_id, a.user_id)`))
    .select(['p.author_name', 'a.login', 'a.name as account_name', 'u.name as user_name', 'u.email'])
    .where('p.id', '=', pullRequestId)
    .executeTakeFirst();
  return row ? Object.values(row).flatMap((name) => name ?? []) : [];
}

/** Whether a review of this head was completed. */
export async function selectReviewedHeads(db: Db, pullRequestId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('review_runs')
    .select('head_commit')
    .distinct()
    .where('pull_request_id', '=', pullRequestId)
    .where('state', '=', 'done')
    // An agent's review replaces none of the service's own.
    .where('trigger', '<>', 'agent')
    .execute();
  return new Set(rows.map(({ head_commit }) => head_commit));
}

const RUN_COLUMNS = [
  ...(['r.id', 'r.trigger', 'r.head_commit', 'r.merge_base', 'r.state', 'r.problem', 'r.files'] as const),
  ...(['r.added_lines', 'r.more_files', 'r.started_at', 'r.finished_at', 'r.requested_by'] as const),
] as const;

/** Newest first. */
export function selectRuns(db: Db, pullRequestId: string, limit: number) {
  return db
    .selectFrom('review_runs as r')
    .leftJoin('users as u', 'u.id', 'r.requested_by')
    .select(RUN_COLUMNS)
    .select('u.name as requested_by_name')
    .select((query) =>
      query
        .selectFrom('review_candidates as c')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('c.run_id', '=', 'r.id')
        .where('c.fate', '=', 'finding')
        .as('findings'),
    )
    .where('r.pull_request_id', '=', pullRequestId)
    .orderBy('r.started_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute();
}

export async function selectRun(db: Db, organizationId: string, runId: string) {
  const row = await db
    .selectFrom('review_runs as r')
    .leftJoin('users as u', 'u.id', 'r.requested_by')
    .select(RUN_COLUMNS)
    .select(['r.pull_request_id', 'r.not_reviewed', 'r.checks', 'u.name as requested_by_name'])
    .where('r.organization_id', '=', organizationId)
    .where('r.id', '=', runId)
    .executeTakeFirst();
  return row && { ...row, not_reviewed: row.not_reviewed as NotReviewed[], checks: row.checks as CheckRun[] };
}

export async function selectCandidates(db: Db, runId: string) {
  const rows = await db
    .selectFrom('review_candidates as c')
    .innerJoin('reviewers as v', 'v.id', 'c.reviewer_id')
    .leftJoin('discussions as d', 'd.id', 'c.discussion_id')
    .select(['c.check_name', 'c.claim', 'c.subject', 'c.title', 'c.scenario', 'c.file', 'c.side', 'c.line'])
    .select(['c.quote', 'c.evidence', 'c.command', 'c.fate', 'c.fate_reason', 'c.discussion_id'])
    .select(['c.fix', 'c.producer', 'c.confirmed_by'])
    .select(['v.title as reviewer_title', 'd.status as discussion_status', 'd.status_cause'])
    .where('c.run_id', '=', runId)
    .orderBy('c.position')
    .execute();
  return rows.map((row) => ({
    ...row,
    evidence: row.evidence as Evidence[],
    producer: row.producer as Producer | null,
  }));
}

export type CandidateRow = Awaited<ReturnType<typeof selectCandidates>>[number];

/** Compared with one that is reviewed: the last changed ones. */
const MAX_OTHER_CHANGES = 50;

/** Other open pull requests of the same repository whose code is known. */
export async function selectOtherOpenChanges(
  db: Db,
  { id, repository_id }: { id: string; repository_id: string },
): Promise<OtherChange[]> {
  const rows = await db
    .selectFrom('pull_requests')
    .select(['number', 'merge_base', 'head_commit'])
    .where('repository_id', '=', repository_id)
    .where('id', '<>', id)
    .where('state', 'in', ACTIVE_PULL_REQUEST_STATES)
    .where('merge_base', 'is not', null)
    .where('head_commit', 'is not', null)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_OTHER_CHANGES)
    .execute();
  return rows.map(({ head_commit, merge_base, number }) => ({ number, from: merge_base!, to: head_commit! }));
}
