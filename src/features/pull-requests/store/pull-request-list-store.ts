/** Queries for lists of pull requests. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { type Reader, visibleRepositories } from '../../repositories/index.ts';
import type { PullRequestState } from '../contract.ts';
import { assignees } from './label-store.ts';
import { shownAuthor } from './shown-author-store.ts';

export interface PullRequestFilter {
  scope: 'mine' | 'waiting' | 'all';
  repositoryId?: string;
  authorId?: string;
  label?: string;
  assigneeId?: string;
  /** Whose review is requested. */
  reviewerId?: string;
  state: PullRequestState | 'active' | 'all';
  openDiscussions: boolean;
  search?: string;
  before?: { at: Date; id: string };
  limit: number;
}

/** The accounts on code hosts that are linked to a member. */
const accountsOf = (organizationId: string, userId: string) =>
  sql`ARRAY(SELECT id FROM host_accounts WHERE organization_id = ${organizationId} AND user_id = ${userId})`;

const teamsOf = (organizationId: string, userId: string) =>
  sql`ARRAY(SELECT team_id FROM team_members WHERE organization_id = ${organizationId} AND user_id = ${userId})`;

/** Nobody is asked for a review of their own pull request through their team. */
const isNotBy = ({ organizationId, userId }: Pick<Reader, 'organizationId' | 'userId'>) =>
  sql<boolean>`(p.author_user_id IS DISTINCT FROM ${userId}
    AND (p.author_account_id = ANY(${accountsOf(organizationId, userId)})) IS NOT TRUE)`;

/**
 * Conditions on a set of IDs are arrays from subqueries: the planner assumes that they are short and looks up the pull
 * requests by ID. `states` is repeated inside, so that they are short.
 */
function writtenBy(reader: Reader, userId: string, states: RawBuilder<SqlBool>) {
  return sql<boolean>`p.id = ANY(ARRAY(
    SELECT p.id FROM pull_requests p
      WHERE p.organization_id = ${reader.organizationId} AND p.author_user_id = ${userId} AND ${states}
    UNION ALL SELECT p.id FROM pull_requests p
      WHERE p.author_account_id = ANY(${accountsOf(reader.organizationId, userId)}) AND ${states}))`;
}

function assignedTo({ organizationId }: Reader, userId: string, states: RawBuilder<SqlBool>) {
  return sql<boolean>`p.id = ANY(ARRAY(
    SELECT p.id FROM pull_request_assignees g JOIN pull_requests p ON p.id = g.pull_request_id
      WHERE g.organization_id = ${organizationId} AND g.user_id = ${userId} AND ${states}))`;
}

function requestedFrom({ organizationId }: Reader, userId: string, states: RawBuilder<SqlBool>) {
  const of = (condition: RawBuilder<unknown>) => sql`
    SELECT p.id FROM pull_request_review_requests q JOIN pull_requests p ON p.id = q.pull_request_id
      WHERE ${condition} AND ${states}`;
  return sql<boolean>`p.id = ANY(ARRAY(${of(sql`q.organization_id = ${organizationId} AND q.user_id = ${userId}`)}
    UNION ALL ${of(sql`q.account_id = ANY(${accountsOf(organizationId, userId)})`)}
    UNION ALL ${of(
      sql`q.team_id = ANY(${teamsOf(organizationId, userId)}) AND ${isNotBy({ organizationId, userId })}`,
    )}))`;
}

/** A draft asks nobody before it is ready, and nobody has to review what was merged or closed. */
function waitingFor({ organizationId, userId }: Reader) {
  return sql<boolean>`p.state = 'open' AND p.id = ANY(ARRAY(
    SELECT q.pull_request_id FROM pull_request_review_requests q
      WHERE q.organization_id = ${organizationId} AND q.user_id = ${userId}
    UNION ALL SELECT q.pull_request_id FROM pull_request_review_requests q
      WHERE q.account_id = ANY(${accountsOf(organizationId, userId)})
    UNION ALL SELECT q.pull_request_id FROM pull_request_review_requests q
      JOIN pull_requests p ON p.id = q.pull_request_id
      WHERE q.team_id = ANY(${teamsOf(organizationId, userId)})
        AND ${isNotBy({ organizationId, userId })}))`;
}

function inState(state: PullRequestFilter['state']): RawBuilder<SqlBool> {
  if (state === 'all') return sql<SqlBool>`true`;
  // As the partial indexes say it.
  if (state === 'active') return sql<SqlBool>`p.state IN ('open', 'draft')`;
  return sql<SqlBool>`p.state = ${state}`;
}

/** Any part of the title or branch, as the index has them, or the number. */
function matches(search: string) {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const number = /^#?(\d{1,9})$/.exec(search)?.[1];
  const inText = sql<boolean>`lower(p.title) LIKE ${pattern} OR lower(p.head_branch) LIKE ${pattern}`;
  return number === undefined
    ? sql<boolean>`(${inText})`
    : sql<boolean>`(${inText} OR p.number = ${number}::int)`;
}

/**
 * The last verdict of each person counts: changes requested by anyone, else approved by someone. Only approvals of the newest head for the
 * present base count; code hosts don't always say which head it was. One that was given here and dismissed brings nothing earlier back.
 */
const verdict = sql<'approved' | 'changes_requested' | null>`(
  SELECT CASE WHEN bool_or(newest.verdict = 'changes_requested') THEN 'changes_requested'
    WHEN bool_or((newest.commit IS NULL OR newest.commit = p.head_commit)
      AND (newest.base_branch IS NULL OR newest.base_branch = p.base_branch)) THEN 'approved' END
  FROM (SELECT DISTINCT ON (coalesce(v.user_id, a.user_id, v.account_id), v.name) v.verdict, v.commit, v.base_branch,
      v.dismissed_at
    FROM pull_request_verdicts v LEFT JOIN host_accounts a ON a.id = v.account_id
    WHERE v.pull_request_id = p.id AND (v.dismissed_at IS NULL OR v.user_id IS NOT NULL) AND v.verdict <> 'commented'
    ORDER BY coalesce(v.user_id, a.user_id, v.account_id), v.name, v.created_at DESC, v.id DESC) AS newest
  WHERE newest.dismissed_at IS NULL)`;

const statusSummary = sql<'pending' | 'success' | 'failure' | null>`(
  SELECT CASE WHEN bool_or(s.state IN ('failure', 'error')) THEN 'failure'
    WHEN bool_or(s.state = 'pending') THEN 'pending' WHEN count(*) > 0 THEN 'success' END
  FROM commit_statuses s WHERE s.repository_id = p.repository_id AND s.commit = p.head_commit)`;

const waitsFor = ({ organizationId, userId }: Reader) => sql<boolean>`p.state = 'open' AND EXISTS (
  SELECT FROM pull_request_review_requests q WHERE q.pull_request_id = p.id
    AND (q.user_id = ${userId} OR q.account_id = ANY(${accountsOf(organizationId, userId)})
      OR (q.team_id = ANY(${teamsOf(organizationId, userId)}) AND ${isNotBy({ organizationId, userId })})))`;

/** Pull requests in repositories that the reader can see, as summaries show them. */
export function summariesFor(db: Db, reader: Reader) {
  return visibleRepositories(db, reader)
    .innerJoin('pull_requests as p', 'p.repository_id', 'r.id')
    .select([
      'p.id',
      'p.repository_id',
      'r.name as repository_name',
      'p.number',
      'p.title',
      'p.state',
      'p.author_kind',
      shownAuthor('p').as('author'),
      'p.head_branch',
      'p.head_repository',
      'p.base_branch',
      'p.labels',
      'p.open_discussion_count',
      'p.discussion_count',
      'p.comment_count',
      'p.origin',
      'p.head_commit',
      'p.base_commit',
      'p.merge_state',
      'p.merge_checked_head',
      'p.merge_checked_base',
      'p.created_at',
      'p.updated_at',
      verdict.as('verdict'),
      waitsFor(reader).as('waiting_for_me'),
      statusSummary.as('status_summary'),
      assignees.as('assignees'),
    ]);
}

/** Most recently updated first. */
export function selectPullRequests(db: Db, reader: Reader, filter: PullRequestFilter) {
  const states = inState(filter.state);
  const search = filter.search?.trim().toLowerCase();
  return (
    summariesFor(db, reader)
      .where('p.organization_id', '=', reader.organizationId)
      .where(states)
      .$if(filter.scope === 'mine', (query) => query.where(writtenBy(reader, reader.userId, states)))
      .$if(filter.scope === 'waiting', (query) => query.where(waitingFor(reader)))
      .$if(filter.authorId !== undefined, (query) => query.where(writtenBy(reader, filter.authorId!, states)))
      .$if(filter.assigneeId !== undefined, (query) =>
        query.where(assignedTo(reader, filter.assigneeId!, states)),
      )
      .$if(filter.reviewerId !== undefined, (query) =>
        query.where(requestedFrom(reader, filter.reviewerId!, states)),
      )
      // As the partial index says it.
      .$if(filter.label !== undefined, (query) =>
        query.where(sql<boolean>`p.labels <> '{}' AND p.labels @> ARRAY[${filter.label!}]::text[]`),
      )
      .$if(filter.repositoryId !== undefined, (query) =>
        query.where('p.repository_id', '=', filter.repositoryId!),
      )
      .$if(filter.openDiscussions, (query) => query.where('p.open_discussion_count', '>', 0))
      .$if(Boolean(search), (query) => query.where(matches(search!)))
      .$if(filter.before !== undefined, (query) =>
        query.where(sql<boolean>`(p.updated_at, p.id) < (${filter.before!.at}, ${filter.before!.id}::uuid)`),
      )
      .orderBy('p.updated_at', 'desc')
      .orderBy('p.id', 'desc')
      .limit(filter.limit)
      .execute()
  );
}

export type SummaryRow = Awaited<ReturnType<typeof selectPullRequests>>[number];

/** Counting stops at `most`. */
export async function countPullRequests(
  db: Db,
  reader: Reader,
  most: number,
): Promise<{ mine: number; waiting: number }> {
  const states = inState('active');
  const count = (condition: RawBuilder<boolean>) =>
    db
      .selectFrom(
        visibleRepositories(db, reader)
          .innerJoin('pull_requests as p', 'p.repository_id', 'r.id')
          .select('p.id')
          .where('p.organization_id', '=', reader.organizationId)
          .where(states)
          .where(condition)
          .limit(most)
          .as('counted'),
      )
      .select(sql<number>`count(*)::int`.as('count'));
  const row = await db
    .selectNoFrom([
      count(writtenBy(reader, reader.userId, states)).as('mine'),
      count(waitingFor(reader)).as('waiting'),
    ])
    .executeTakeFirstOrThrow();
  return { mine: row.mine ?? 0, waiting: row.waiting ?? 0 };
}
