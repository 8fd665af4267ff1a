/** Queries for what a code host is told about the reviews of a pull request. */
import { sql } from 'kysely';
import type { CheckRun, NotReviewed } from '../../../engines/review/contract/code-review.ts';
import type { Db } from '../../../platform/db/index.ts';
import type { ReportedFinding, ReportedRun, ReviewReport } from './review-report.ts';

/** The newest review of a head that was completed, else the newest. */
export async function selectReportedRun(
  db: Db,
  pullRequestId: string,
  headCommit: string,
): Promise<ReportedRun | undefined> {
  const row = await db
    .selectFrom('review_runs as r')
    .select([
      'r.head_commit',
      'r.state',
      'r.problem',
      'r.files',
      'r.more_files',
      'r.not_reviewed',
      'r.checks',
    ])
    .select((query) =>
      query
        .selectFrom('review_candidates as c')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('c.run_id', '=', 'r.id')
        .where('c.fate', '=', 'held_back')
        .as('held_back'),
    )
    .where('r.pull_request_id', '=', pullRequestId)
    .where('r.head_commit', '=', headCommit)
    // The check says what the service's own review looked at.
    .where('r.trigger', '<>', 'agent')
    .orderBy(sql`r.state = 'done'`, 'desc')
    .orderBy('r.started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (
    row && {
      headCommit: row.head_commit,
      state: row.state,
      problem: row.problem,
      files: row.files,
      moreFiles: row.more_files,
      notReviewed: row.not_reviewed as NotReviewed[],
      checks: row.checks as CheckRun[],
      heldBack: row.held_back ?? 0,
    }
  );
}

/** The findings of a pull request that are discussions, oldest first. */
export async function selectReportedFindings(db: Db, pullRequestId: string): Promise<ReportedFinding[]> {
  const rows = await db
    .selectFrom('review_candidates as c')
    .innerJoin('discussions as d', 'd.id', 'c.discussion_id')
    .innerJoin('reviewers as v', 'v.id', 'c.reviewer_id')
    .select(['c.title', 'c.file', 'c.line', 'v.title as reviewer', 'd.status', 'd.status_cause'])
    .where('c.pull_request_id', '=', pullRequestId)
    .where('c.discussion_id', 'is not', null)
    .where('c.fate', '=', 'finding')
    .orderBy('d.created_at')
    .orderBy('d.id')
    .execute();
  return rows.map(({ status_cause, ...row }) => ({ ...row, isDismissed: status_cause === 'dismissed' }));
}

/** Waits to be sent if it differs from what was. A summary that was written stays. */
export async function upsertReport(
  db: Db,
  pullRequest: { id: string; organizationId: string },
  { checkState, checkText, checkTitle, commit, summary }: ReviewReport,
): Promise<void> {
  await sql`INSERT INTO review_reports AS r (pull_request_id, organization_id, commit, check_state, check_title, check_text, summary, sending)
    VALUES (${pullRequest.id}, ${pullRequest.organizationId}, ${commit}, ${checkState}, ${checkTitle}, ${checkText}, ${summary}, 'waiting')
    ON CONFLICT (pull_request_id) DO UPDATE SET commit = excluded.commit, check_state = excluded.check_state,
      check_title = excluded.check_title, check_text = excluded.check_text, summary = excluded.summary,
      sending = 'waiting', sending_problem = NULL
    WHERE (r.commit, r.check_state, r.check_title, r.check_text, r.summary) IS DISTINCT FROM
      (excluded.commit, excluded.check_state, excluded.check_title, excluded.check_text, excluded.summary)`.execute(
    db,
  );
}

export function selectReport(db: Db, pullRequestId: string) {
  return db
    .selectFrom('review_reports')
    .select([
      'commit',
      'check_state',
      'check_title',
      'check_text',
      'summary',
      'summary_comment_id',
      'sending',
    ])
    .select(['description', 'replaced_description'])
    .where('pull_request_id', '=', pullRequestId)
    .executeTakeFirst();
}

export type ReportRow = NonNullable<Awaited<ReturnType<typeof selectReport>>>;

/** Records what became of a report, unless it changed while it was sent: then it is sent again. */
export async function markReportSent(
  db: Db,
  pullRequestId: string,
  sent: ReportRow,
  { problem, summaryCommentId }: { summaryCommentId: string | null; problem: string | null },
): Promise<void> {
  await sql`UPDATE review_reports SET summary_comment_id = ${summaryCommentId},
      description = nullif(description, ${sent.description}::text),
      sending = CASE WHEN (commit, check_state, check_title, check_text, summary, description) IS NOT DISTINCT FROM
        (${sent.commit}::text, ${sent.check_state}::text, ${sent.check_title}::text, ${sent.check_text}::text, ${sent.summary}::text,
          ${sent.description}::text)
        THEN ${problem === null ? 'sent' : 'failed'} ELSE 'waiting' END,
      sending_problem = ${problem}
    WHERE pull_request_id = ${pullRequestId}`.execute(db);
}

/** The description is written with the report. */
export async function updateReportDescription(
  db: Db,
  pullRequestId: string,
  { description, replaces }: { description: string; replaces: string },
): Promise<void> {
  await db
    .updateTable('review_reports')
    .set({ description, replaced_description: replaces, sending: 'waiting', sending_problem: null })
    .where('pull_request_id', '=', pullRequestId)
    .execute();
}
