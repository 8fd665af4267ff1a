/** Queries for dismissed findings. */
import { sql } from 'kysely';
import type { Claim, Producer } from '../../../engines/review/contract/code-review.ts';
import type { Db } from '../../../platform/db/index.ts';
import { type Reader, visibleRepositories } from '../../repositories/index.ts';
import type { DismissalScope } from './covering-decision.ts';

/** Per repository, the newest. */
const MAX_WRONG_DECISIONS = 100;
/** For the checks of one review, the newest. */
const MAX_DECISIONS = 2000;
/** As many as reviews read. */
const MAX_EXPORTED = 500;
/** Per repository or organization. */
const MAX_OPEN_FINDINGS = 5000;

/**
 * Decisions that can cover findings of these keys or checks: of the pull request, its repository and the organization. One whose
 * discussion was reopened, or that was undone, no longer counts.
 */
export function selectDecisions(
  db: Db,
  place: { organizationId: string; repositoryId: string; pullRequestId: string | null },
  { checks, keys }: { checks: string[]; keys: string[] },
) {
  return db
    .selectFrom('finding_decisions as f')
    .innerJoin('users as u', 'u.id', 'f.decided_by')
    .innerJoin('discussions as d', 'd.id', 'f.discussion_id')
    .select(['f.finding_key', 'f.reason', 'f.scope', 'u.name as decided_by_name'])
    .select(['f.check_name', 'f.claim', 'f.subject', 'f.path', 'f.quote'])
    .where('f.organization_id', '=', place.organizationId)
    .where('f.undone_at', 'is', null)
    .where('d.status', '<>', 'open')
    .where((where) =>
      where.or([
        where('f.finding_key', '=', sql<string>`ANY(${keys}::text[])`),
        where('f.check_name', '=', sql<string>`ANY(${checks}::text[])`),
      ]),
    )
    .where((where) =>
      where.or([
        // Earlier versions let people dismiss a secret in the whole organization.
        where.and([where('f.scope', '=', 'organization'), where('f.claim', 'is distinct from', 'secret')]),
        where.and([
          where('f.scope', '<>', 'pull_request'),
          where('f.repository_id', '=', place.repositoryId),
        ]),
        ...(place.pullRequestId === null ? [] : [where('f.pull_request_id', '=', place.pullRequestId)]),
      ]),
    )
    .orderBy('f.created_at', 'desc')
    .limit(MAX_DECISIONS)
    .execute();
}

export type DecisionRow = Awaited<ReturnType<typeof selectDecisions>>[number];

/** How many findings of a check were dismissed as wrong in a repository, and not reopened since. */
export async function countWrong(db: Db, repositoryId: string): Promise<WrongCount[]> {
  const { rows } =
    await sql<WrongCount>`SELECT c.check_name AS "check", c.producer->>'kind' AS producer, c.proof, v.built_in IS NOT NULL AS "isBuiltIn",
      count(DISTINCT f.finding_key)::int AS findings
    FROM (SELECT discussion_id, finding_key FROM finding_decisions
      WHERE repository_id = ${repositoryId} AND reason = 'wrong' AND undone_at IS NULL ORDER BY created_at DESC LIMIT ${MAX_WRONG_DECISIONS}) AS f
    JOIN discussions d ON d.id = f.discussion_id AND d.status_cause = 'dismissed'
    JOIN review_candidates c ON c.discussion_id = f.discussion_id AND c.fate = 'finding'
    JOIN reviewers v ON v.id = c.reviewer_id
    GROUP BY 1, 2, 3, 4`.execute(db);
  return rows;
}

interface WrongCount {
  check: string;
  producer: string | null;
  proof: string | null;
  isBuiltIn: boolean;
  findings: number;
}

/** An active member who may dismiss findings. */
export function selectDecider(db: Db, organizationId: string, userId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('u.name')
    .where('m.organization_id', '=', organizationId)
    .where('m.user_id', '=', userId)
    .where('m.deactivated_at', 'is', null)
    .where('m.role', '<>', 'viewer')
    .executeTakeFirst();
}

/** Whether someone decided about this exact discussion before. */
export async function hasDecided(db: Db, discussionId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('finding_decisions')
    .select('id')
    .where('discussion_id', '=', discussionId)
    .where('decided_by', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The newest dismissal of this discussion that was not undone. */
export function selectNewestDecision(db: Db, discussionId: string) {
  return db
    .selectFrom('finding_decisions')
    .select(['decided_by', 'reason', 'scope', 'note'])
    .where('discussion_id', '=', discussionId)
    .where('undone_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The candidate that a discussion was opened for. */
export async function selectFindingOf(db: Db, organizationId: string, discussionId: string) {
  const row = await db
    .selectFrom('review_candidates as c')
    .innerJoin('reviewers as v', 'v.id', 'c.reviewer_id')
    .select(['c.finding_key', 'c.title', 'c.claim', 'c.check_name', 'c.subject', 'c.file', 'c.quote'])
    .select(['c.pull_request_id', 'c.producer', 'c.proof', 'v.built_in'])
    .where('c.organization_id', '=', organizationId)
    .where('c.discussion_id', '=', discussionId)
    .limit(1)
    .executeTakeFirst();
  return row && { ...row, producer: row.producer as Producer | null };
}

export type FindingOfDiscussion = NonNullable<Awaited<ReturnType<typeof selectFindingOf>>>;

/** Open findings in repositories that the reader sees, newest first. */
export async function selectOpenFindings(
  db: Db,
  reader: Reader,
  { pullRequestId, repositoryId }: { repositoryId: string | null; pullRequestId: string | null },
) {
  const rows = await visibleRepositories(db, reader)
    .innerJoin('discussions as d', 'd.repository_id', 'r.id')
    .innerJoin('review_candidates as c', 'c.discussion_id', 'd.id')
    .innerJoin('reviewers as v', 'v.id', 'c.reviewer_id')
    .innerJoin('pull_requests as p', 'p.id', 'd.pull_request_id')
    .select(['d.id as discussion_id', 'd.pull_request_id', 'p.number', 'r.name as repository_name'])
    .select([
      'c.finding_key',
      'c.claim',
      'c.check_name',
      'c.subject',
      'c.title',
      'c.file',
      'c.line',
      'c.quote',
    ])
    .select(['c.producer', 'v.built_in'])
    .where('d.status', '=', 'open')
    .where('d.reviewer_id', 'is not', null)
    .where('c.fate', '=', 'finding')
    .$if(repositoryId !== null, (query) => query.where('d.repository_id', '=', repositoryId!))
    .$if(pullRequestId !== null, (query) => query.where('d.pull_request_id', '=', pullRequestId!))
    .orderBy('d.id', 'desc')
    .limit(MAX_OPEN_FINDINGS)
    .execute();
  return rows.map((row) => ({ ...row, producer: row.producer as Producer | null }));
}

/** The newest decision about each finding of a repository that applies beyond its pull request, of the newest 500. */
export async function selectDecisionsToExport(db: Db, { repositoryId }: { repositoryId: string }) {
  const { rows } = await sql<{
    finding_key: string;
    scope: Exclude<DismissalScope, 'pull_request'>;
    reason: 'wrong' | 'intended' | 'not_worth_it' | 'later';
    note: string | null;
    check_name: string;
    claim: string;
    subject: string;
    path: string;
    quote: string;
    decided_by_name: string;
  }>`SELECT DISTINCT ON (f.finding_key) f.finding_key, f.scope, f.reason, f.note, f.check_name, f.claim, f.subject, f.path, f.quote,
      (SELECT u.name FROM users u WHERE u.id = f.decided_by) AS decided_by_name
    FROM (SELECT * FROM finding_decisions
      WHERE repository_id = ${repositoryId} AND scope <> 'pull_request' AND check_name IS NOT NULL AND undone_at IS NULL
      ORDER BY created_at DESC LIMIT ${MAX_EXPORTED}) f
    WHERE (SELECT d.status FROM discussions d WHERE d.id = f.discussion_id) <> 'open'
    ORDER BY f.finding_key, f.created_at DESC`.execute(db);
  return rows;
}

export async function insertDecision(
  db: Db,
  decision: {
    id: string;
    organizationId: string;
    repositoryId: string;
    pullRequestId: string;
    discussionId: string;
    finding: { key: string; check: string; claim: Claim; subject: string; file: string; quote: string };
    scope: DismissalScope;
    reason: 'wrong' | 'intended' | 'not_worth_it' | 'later';
    note: string | null;
    userId: string;
    at: Date;
  },
): Promise<void> {
  const { finding } = decision;
  await db
    .insertInto('finding_decisions')
    .values({
      id: decision.id,
      organization_id: decision.organizationId,
      repository_id: decision.repositoryId,
      pull_request_id: decision.pullRequestId,
      discussion_id: decision.discussionId,
      finding_key: finding.key,
      check_name: finding.check,
      claim: finding.claim,
      subject: finding.subject,
      path: finding.file,
      quote: finding.quote,
      scope: decision.scope,
      reason: decision.reason,
      note: decision.note,
      decided_by: decision.userId,
      created_at: decision.at,
    })
    .execute();
}
