/** Queries for inboxes. Each belongs to one person in one organization. */
import { sql } from 'kysely';
import { hasRole } from '../../platform/core/operations/actor.ts';
import type { Db } from '../../platform/db/index.ts';
import type { SubjectKind } from '../events/index.ts';
import { type Reader, visibleRepositories } from '../repositories/index.ts';
import { type InboxKind, MAX_UNREAD_COUNTED } from './contract.ts';
import { EXCERPT_SOURCE_CHARACTERS, excerptOf } from './excerpt.ts';

export interface NewInboxItem {
  id: string;
  organizationId: string;
  userId: string;
  subjectKind: SubjectKind;
  subjectId: string;
  eventNumber: string;
  kind: InboxKind;
  at: Date;
}

/** Skips people who already have an item for the event. */
export async function insertInboxItems(db: Db, items: NewInboxItem[]): Promise<void> {
  if (items.length === 0) return;
  await sql`
    INSERT INTO inbox_items (id, organization_id, user_id, subject_kind, subject_id, event_number, kind, created_at)
    SELECT * FROM unnest(${items.map((item) => item.id)}::uuid[], ${items.map((item) => item.organizationId)}::uuid[],
      ${items.map((item) => item.userId)}::uuid[], ${items.map((item) => item.subjectKind)}::text[],
      ${items.map((item) => item.subjectId)}::uuid[],
      ${items.map((item) => item.eventNumber)}::bigint[], ${items.map((item) => item.kind)}::text[],
      ${items.map((item) => item.at)}::timestamptz[])
    ON CONFLICT (user_id, subject_id, event_number) DO NOTHING`.execute(db);
}

/** Requests for a review. */
const IS_REQUEST = sql`i.kind IN ('review_requested', 'team_review_requested')`;

/**
 * A pull request that is ready again asks once more for the same reviews: whoever has an unread item of before keeps it, and of
 * all others the new one replaces it. Returns those to insert.
 */
export async function replaceRequests(db: Db, items: NewInboxItem[]): Promise<NewInboxItem[]> {
  if (items.length === 0) return [];
  const before = sql`FROM unnest(${items.map((item) => item.userId)}::uuid[], ${items.map((item) => item.subjectId)}::uuid[],
    ${items.map((item) => item.eventNumber)}::bigint[]) AS w (user_id, subject_id, number)`;
  const isBefore = sql`i.user_id = w.user_id AND i.subject_id = w.subject_id AND i.event_number < w.number AND ${IS_REQUEST}`;
  const { rows } = await sql<{ user_id: string; subject_id: string }>`
    SELECT w.user_id, w.subject_id ${before}
    WHERE EXISTS (SELECT FROM inbox_items i WHERE ${isBefore} AND i.read_at IS NULL)`.execute(db);
  const kept = new Set(rows.map((row) => `${row.user_id} ${row.subject_id}`));
  const wanted = items.filter(({ subjectId, userId }) => !kept.has(`${userId} ${subjectId}`));
  await sql`DELETE FROM inbox_items i USING (SELECT * ${before}) AS w
    WHERE ${isBefore} AND i.read_at IS NOT NULL`.execute(db);
  return wanted;
}

/** Items from before these events are read: about conflicts, and if the pull request was merged or closed, about reviews that were requested. */
export async function markSettledRead(
  db: Db,
  settled: { subjectId: string; number: string; at: Date; isOver: boolean }[],
): Promise<void> {
  if (settled.length === 0) return;
  await sql`UPDATE inbox_items i SET read_at = r.at
    FROM unnest(${settled.map(({ subjectId }) => subjectId)}::uuid[], ${settled.map(({ number }) => number)}::bigint[],
      ${settled.map(({ at }) => at)}::timestamptz[], ${settled.map(({ isOver }) => isOver)}::boolean[])
      AS r (subject_id, number, at, is_over)
    WHERE i.subject_id = r.subject_id AND i.event_number < r.number AND i.read_at IS NULL
      AND (i.kind = 'conflicts' OR (r.is_over AND ${IS_REQUEST}))`.execute(db);
}

/** Items about comments of pull requests that were deleted. */
export async function deleteCommentItems(
  db: Db,
  deleted: { subjectId: string; commentId: string }[],
): Promise<void> {
  if (deleted.length === 0) return;
  await sql`DELETE FROM inbox_items i USING events e,
      unnest(${deleted.map(({ subjectId }) => subjectId)}::uuid[], ${deleted.map(({ commentId }) => commentId)}::text[])
        AS d (subject_id, comment_id)
    WHERE e.subject_id = d.subject_id AND e.data->>'commentId' = d.comment_id
      AND i.subject_id = e.subject_id AND i.event_number = e.number`.execute(db);
}

/** The items about plans that still exist, pull requests that the reader can still see, and code hosts for admins. */
function shownItems(db: Db, reader: Reader) {
  const pullRequests = visibleRepositories(db, reader)
    .innerJoin('pull_requests as p', 'p.repository_id', 'r.id')
    .select(['p.id', 'p.number', 'p.title', 'p.state', 'r.name as repository'])
    .select(['p.author_user_id', 'p.author_name']);
  return db
    .selectFrom('inbox_items as i')
    .leftJoin('plans as plan', (join) =>
      join.onRef('plan.id', '=', 'i.subject_id').on('plan.status', '<>', 'deleted'),
    )
    .leftJoin(pullRequests.as('pr'), 'pr.id', 'i.subject_id')
    .leftJoin('code_hosts as host', (join) =>
      join.onRef('host.id', '=', 'i.subject_id').on(sql<boolean>`${hasRole(reader.role, 'admin')}::boolean`),
    )
    .where('i.organization_id', '=', reader.organizationId)
    .where('i.user_id', '=', reader.userId)
    .where(sql<boolean>`(plan.id IS NOT NULL OR pr.id IS NOT NULL OR host.id IS NOT NULL)`);
}

/** Whatever its event is, it says who opened the pull request. */
const IS_WATCHED = sql`i.kind IN ('watched', 'team_watched')`;

/** A review with comments is shown with the first one in a discussion that the reader wrote in, else with the first. */
function shownComment({ userId }: Reader) {
  return sql<string>`coalesce((e.data->>'commentId')::uuid, (
    SELECT r.id FROM jsonb_array_elements_text(e.data->'commentIds') AS listed (id)
      JOIN pull_request_comments r ON r.id = listed.id::uuid
    ORDER BY EXISTS (SELECT FROM pull_request_comments b WHERE b.discussion_id = r.discussion_id
      AND b.author_user_id = ${userId}) DESC, r.id LIMIT 1))`;
}

export async function selectInbox(
  db: Db,
  reader: Reader,
  page: { unread: boolean; beforeId?: string; limit: number; itemIds?: string[] },
) {
  // Select the page first, then join the details of its items only.
  const items = shownItems(db, reader)
    .select(['i.id', 'i.kind', 'i.created_at', 'i.read_at', 'i.subject_id', 'i.event_number'])
    .select(['plan.series_id', 'plan.title', 'plan.status'])
    .select(['pr.id as pull_request_id', 'pr.number', 'pr.repository'])
    .select(['pr.title as pull_request_title', 'pr.state'])
    .select(['pr.author_user_id', 'pr.author_name'])
    .select('host.id as code_host_id')
    .select(sql<string | null>`coalesce(host.name, host.url)`.as('code_host_name'))
    .$if(page.unread, (query) => query.where('i.read_at', 'is', null))
    .$if(page.itemIds !== undefined, (query) =>
      query.where('i.id', '=', sql<string>`ANY(${page.itemIds!}::uuid[])`),
    )
    .$if(page.beforeId !== undefined, (query) => query.where('i.id', '<', page.beforeId!))
    .orderBy('i.id', 'desc')
    .limit(page.limit);
  const rows = await db
    .selectFrom(items.as('i'))
    .innerJoin('events as e', (join) =>
      join.onRef('e.subject_id', '=', 'i.subject_id').onRef('e.number', '=', 'i.event_number'),
    )
    .leftJoin('users as u', (join) =>
      join.on(
        'u.id',
        '=',
        sql<string>`CASE WHEN ${IS_WATCHED} THEN i.author_user_id ELSE e.actor_user_id END`,
      ),
    )
    .leftJoin('plan_comments as c', (join) => join.on('c.id', '=', sql<string>`(e.data->>'commentId')::uuid`))
    .leftJoin('plan_versions as v', 'v.id', 'c.version_id')
    .leftJoin('pull_request_comments as pc', (join) => join.on('pc.id', '=', shownComment(reader)))
    .leftJoin('pull_request_verdicts as pv', (join) =>
      join.on('pv.id', '=', sql<string>`(e.data->>'verdictId')::uuid`),
    )
    .select([
      'i.id',
      'i.kind',
      'i.created_at',
      'i.read_at',
      'i.series_id',
      'i.title',
      'i.status',
      'i.pull_request_id',
      'i.number',
      'i.repository',
      'i.pull_request_title',
      'i.state',
      'i.code_host_id',
      'i.code_host_name',
      'u.id as actor_id',
      // Reviewers, bots, people of a code host and authors of pushed commits are no users.
      sql<
        string | null
      >`coalesce(u.name, CASE WHEN ${IS_WATCHED} THEN i.author_name END, pc.author_name, pv.name,
          CASE WHEN e.kind = 'pull_request_pushed' THEN e.data->>'author' END)`.as('actor_name'),
      sql<string | null>`coalesce(c.id, pc.id)`.as('comment_id'),
      'c.thread_id',
      sql<string | null>`coalesce(e.data->>'discussionId', pc.discussion_id::text)`.as('discussion_id'),
      sql<number | null>`(e.data->'finding'->>'of')::integer`.as('findings'),
      sql<number | null>`coalesce(v.version, (e.data->>'version')::integer)`.as('version'),
      sql<
        string | null
      >`left(coalesce(c.body, CASE i.kind WHEN 'reply' THEN NULL WHEN 'review_dismissed' THEN pv.dismissal_reason
          ELSE pv.note END, pc.body, e.data->>'note'),
        ${EXCERPT_SOURCE_CHARACTERS}::integer)`.as('excerpt'),
    ])
    .orderBy('i.id', 'desc')
    .execute();
  return rows.map((row) => ({ ...row, excerpt: row.excerpt === null ? null : excerptOf(row.excerpt) }));
}

export type InboxRow = Awaited<ReturnType<typeof selectInbox>>[number];

export async function countUnread(db: Db, reader: Reader): Promise<number> {
  const unread = shownItems(db, reader)
    .select('i.id')
    .where('i.read_at', 'is', null)
    .orderBy('i.id', 'desc')
    .limit(MAX_UNREAD_COUNTED);
  const row = await db
    .selectFrom(unread.as('unread'))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

function markRead(db: Db, reader: Reader, at: Date) {
  return db
    .updateTable('inbox_items')
    .set({ read_at: at })
    .where('organization_id', '=', reader.organizationId)
    .where('user_id', '=', reader.userId)
    .where('read_at', 'is', null);
}

export async function markItemsRead(db: Db, reader: Reader, itemIds: string[], at: Date): Promise<void> {
  await markRead(db, reader, at).where('id', '=', sql<string>`ANY(${itemIds}::uuid[])`).execute();
}

export async function markPlanRead(db: Db, reader: Reader, seriesId: string, at: Date): Promise<void> {
  await markRead(db, reader, at)
    .where('subject_id', '=', (query) =>
      query
        .selectFrom('plans')
        .select('id')
        .where('organization_id', '=', reader.organizationId)
        .where('series_id', '=', seriesId),
    )
    .execute();
}

export async function markPullRequestRead(
  db: Db,
  reader: Reader,
  pullRequestId: string,
  at: Date,
): Promise<void> {
  await markRead(db, reader, at).where('subject_id', '=', pullRequestId).execute();
}

export async function markAllRead(db: Db, reader: Reader, at: Date): Promise<void> {
  await markRead(db, reader, at).execute();
}

/** Marks as unread what was marked as read at exactly this time. */
export async function markUnread(db: Db, reader: Reader, readAt: Date): Promise<void> {
  await db
    .updateTable('inbox_items')
    .set({ read_at: null })
    .where('organization_id', '=', reader.organizationId)
    .where('user_id', '=', reader.userId)
    .where('read_at', '=', readAt)
    .execute();
}
