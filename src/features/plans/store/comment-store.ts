/** Queries for comments on plans and for muted threads. */
import { sql } from 'kysely';
import type { CredentialKind } from '../../../platform/core/operations/actor.ts';
import type { Db } from '../../../platform/db/index.ts';
import { insertEventRows, insertOutboxRows } from '../../events/index.ts';

export interface NewComment {
  id: string;
  organizationId: string;
  seriesId: string;
  versionId: string;
  parentId: string | null;
  authorId: string;
  authorKind: CredentialKind;
  credentialId: string;
  body: string;
  anchor: string | null;
  at: Date;
}

/**
 * Adds comments and their events to one plan in a single statement, so that the plan's row is locked as briefly as
 * possible. Returns the plan's ID for each comment, or undefined if the plan, version or parent comment is not valid.
 */
export async function insertComments(db: Db, comments: NewComment[]): Promise<(string | undefined)[]> {
  const { organizationId, seriesId } = comments[0]!;
  const { rows } = await sql<{ id: string; plan_id: string }>`
    WITH target AS (
      SELECT id FROM plans
      WHERE organization_id = ${organizationId} AND series_id = ${seriesId} AND status <> 'deleted'
    ), valid AS (
      SELECT sent.*, coalesce(parent.thread_id, sent.id) AS thread_id, row_number() OVER (ORDER BY sent.place) AS step
      FROM target
      CROSS JOIN unnest(${comments.map(({ id }) => id)}::uuid[], ${comments.map((each) => each.versionId)}::uuid[],
        ${comments.map((each) => each.parentId)}::uuid[], ${comments.map((each) => each.authorId)}::uuid[],
        ${comments.map((each) => each.authorKind)}::text[], ${comments.map((each) => each.credentialId)}::uuid[],
        ${comments.map(({ body }) => body)}::text[],
        ${comments.map(({ anchor }) => anchor)}::text[], ${comments.map(({ at }) => at)}::timestamptz[])
        WITH ORDINALITY AS sent (id, version_id, parent_id, author_id, author_kind, credential_id, body, anchor, at, place)
      JOIN plan_versions v ON v.id = sent.version_id AND v.plan_id = target.id
      LEFT JOIN plan_comments parent ON parent.id = sent.parent_id AND parent.plan_id = target.id
      WHERE sent.parent_id IS NULL OR parent.id IS NOT NULL
    ), plan AS (
      UPDATE plans p SET last_event = last_event + sent.count, comment_count = comment_count + sent.count
      FROM target, (SELECT count(*)::int AS count FROM valid) AS sent
      WHERE p.id = target.id AND p.status <> 'deleted' AND sent.count > 0
      RETURNING p.id, p.last_event - sent.count AS before
    ), comment AS (
      INSERT INTO plan_comments (id, plan_id, organization_id, version_id, parent_id, thread_id, author_id,
        author_kind, body, anchor, created_at)
      SELECT valid.id, plan.id, ${organizationId}, version_id, parent_id, thread_id, author_id, author_kind, body, anchor, at
      FROM plan, valid
      RETURNING id, plan_id
    ), event AS (
      ${insertEventRows(
        'plan',
        sql`SELECT plan.id, plan.before + step, ${organizationId}::uuid, 'comment_added', author_kind, author_id, credential_id,
        jsonb_build_object('commentId', valid.id, 'threadId', thread_id, 'parentId', parent_id, 'versionId', version_id), at
      FROM plan, valid`,
      )}
    ), outbox AS (
      ${insertOutboxRows('plan', sql`SELECT id, ${organizationId}::uuid, before FROM plan`)}
    )
    SELECT id, plan_id FROM comment`.execute(db);
  const planOf = new Map(rows.map((row) => [row.id, row.plan_id]));
  return comments.map(({ id }) => planOf.get(id));
}

/** Tells which references of a refused comment are valid. */
export async function explainRefusedComment(
  db: Db,
  comment: Pick<NewComment, 'organizationId' | 'seriesId' | 'versionId' | 'parentId'>,
): Promise<{ plan: boolean; version: boolean; parent: boolean }> {
  const { rows } = await sql<{ version: boolean; parent: boolean }>`
    SELECT EXISTS (SELECT FROM plan_versions v WHERE v.id = ${comment.versionId} AND v.plan_id = p.id) AS version,
      (${comment.parentId}::uuid IS NULL
        OR EXISTS (SELECT FROM plan_comments c WHERE c.id = ${comment.parentId} AND c.plan_id = p.id)) AS parent
    FROM plans p
    WHERE organization_id = ${comment.organizationId} AND series_id = ${comment.seriesId} AND status <> 'deleted'`.execute(
    db,
  );
  return rows[0] ? { plan: true, ...rows[0] } : { plan: false, version: false, parent: false };
}

const COLUMNS = [
  'c.id',
  'c.version_id',
  'c.parent_id',
  'c.thread_id',
  'c.author_id',
  'c.author_kind',
  'u.name as author_name',
  'c.body',
  'c.anchor',
  'c.triage_state',
  'c.created_at',
  'c.edited_at',
] as const;

export interface CommentCursor {
  at: Date;
  id: string;
}

/** Comments after the cursor, oldest first, in the whole plan or in the thread of one comment. */
export function selectComments(
  db: Db,
  planId: string,
  page: { after?: CommentCursor; limit: number; inThreadOf?: string },
) {
  return db
    .selectFrom('plan_comments as c')
    .innerJoin('users as u', 'u.id', 'c.author_id')
    .leftJoin('plan_versions as a', 'a.id', 'c.addressed_version_id')
    .innerJoin('plan_versions as v', 'v.id', 'c.version_id')
    .select([...COLUMNS, 'v.version', 'a.version as addressed_version', 'c.addressed_old', 'c.addressed_new'])
    .where('c.plan_id', '=', planId)
    .$if(page.inThreadOf !== undefined, (query) =>
      query.where('c.thread_id', '=', ({ selectFrom }) =>
        selectFrom('plan_comments as named')
          .select('named.thread_id')
          .where('named.id', '=', page.inThreadOf!),
      ),
    )
    .$if(page.after !== undefined, (query) =>
      query.where(sql<boolean>`(c.created_at, c.id) > (${page.after!.at}, ${page.after!.id}::uuid)`),
    )
    .orderBy('c.created_at')
    .orderBy('c.id')
    .limit(page.limit)
    .execute();
}

export type ListedCommentRow = Awaited<ReturnType<typeof selectComments>>[number];

export function selectComment(db: Db, planId: string, commentId: string) {
  return db
    .selectFrom('plan_comments as c')
    .innerJoin('users as u', 'u.id', 'c.author_id')
    .select(COLUMNS)
    .where('c.plan_id', '=', planId)
    .where('c.id', '=', commentId)
    .executeTakeFirst();
}

/** The oldest reply by the same author to the same comment with the same text. */
export function selectReply(
  db: Db,
  planId: string,
  reply: Pick<NewComment, 'parentId' | 'authorId' | 'body'>,
) {
  return db
    .selectFrom('plan_comments as c')
    .innerJoin('users as u', 'u.id', 'c.author_id')
    .select(COLUMNS)
    .where('c.plan_id', '=', planId)
    .where('c.parent_id', '=', reply.parentId)
    .where('c.author_id', '=', reply.authorId)
    .where('c.body', '=', reply.body)
    .where('c.thread_id', '=', ({ selectFrom }) =>
      selectFrom('plan_comments as parent')
        .select('parent.thread_id')
        .where('parent.id', '=', reply.parentId),
    )
    .orderBy('c.created_at')
    .orderBy('c.id')
    .limit(1)
    .executeTakeFirst();
}

/** The comments of the plan with these IDs. */
export function selectCommentsById(db: Db, planId: string, ids: string[]): Promise<CommentRow[]> {
  return db
    .selectFrom('plan_comments as c')
    .innerJoin('users as u', 'u.id', 'c.author_id')
    .select(COLUMNS)
    .where('c.plan_id', '=', planId)
    .where('c.id', 'in', ids)
    .orderBy('c.created_at')
    .orderBy('c.id')
    .execute();
}

export type CommentRow = NonNullable<Awaited<ReturnType<typeof selectComment>>>;

export async function updateComment(
  db: Db,
  planId: string,
  commentId: string,
  set: { body?: string; edited_at?: Date; triage_state?: 'open' | 'dismissed' | null },
): Promise<void> {
  await db
    .updateTable('plan_comments')
    .set(set)
    .where('plan_id', '=', planId)
    .where('id', '=', commentId)
    .execute();
}

/** The threads of a plan that a user muted. */
export async function selectMutedThreads(db: Db, planId: string, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('plan_muted_threads')
    .select('thread_id')
    .where('plan_id', '=', planId)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('thread_id')
    .execute();
  return rows.map(({ thread_id }) => thread_id);
}

/** Whether the comment exists and starts a thread in this plan. */
export async function isThread(db: Db, planId: string, threadId: string): Promise<boolean> {
  const row = await db
    .selectFrom('plan_comments')
    .select('id')
    .where('plan_id', '=', planId)
    .where('id', '=', threadId)
    .where('parent_id', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertMute(
  db: Db,
  mute: { userId: string; threadId: string; planId: string; organizationId: string; at: Date },
): Promise<void> {
  await db
    .insertInto('plan_muted_threads')
    .values({
      user_id: mute.userId,
      thread_id: mute.threadId,
      plan_id: mute.planId,
      organization_id: mute.organizationId,
      created_at: mute.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteMute(db: Db, userId: string, threadId: string): Promise<void> {
  await db
    .deleteFrom('plan_muted_threads')
    .where('user_id', '=', userId)
    .where('thread_id', '=', threadId)
    .execute();
}

/** Thread-starting comments with an anchor that were written before a version, on an earlier one, and are not addressed yet. */
export async function selectUnaddressedComments(
  db: Db,
  planId: string,
  page: { madeBefore: { version: number; created_at: Date }; afterId?: string; limit: number },
): Promise<{ id: string; version_id: string; anchor: string }[]> {
  const rows = await db
    .selectFrom('plan_comments as c')
    .innerJoin('plan_versions as v', 'v.id', 'c.version_id')
    .select(['c.id', 'c.version_id', 'c.anchor'])
    .where('c.plan_id', '=', planId)
    .where('c.anchor', 'is not', null)
    .where('c.parent_id', 'is', null)
    .where('c.addressed_version_id', 'is', null)
    .where('c.created_at', '<=', page.madeBefore.created_at)
    .where('v.version', '<', page.madeBefore.version)
    .$if(page.afterId !== undefined, (query) => query.where('c.id', '>', page.afterId!))
    .orderBy('c.id')
    .limit(page.limit)
    .execute();
  return rows as { id: string; version_id: string; anchor: string }[];
}

export async function markCommentsAddressed(
  db: Db,
  planId: string,
  versionId: string,
  comments: { id: string; old: string; new: string }[],
): Promise<void> {
  await sql`
    UPDATE plan_comments c SET addressed_version_id = ${versionId}, addressed_old = a.old, addressed_new = a.new
    FROM unnest(${comments.map(({ id }) => id)}::uuid[], ${comments.map((each) => each.old)}::text[],
      ${comments.map((each) => each.new)}::text[]) AS a (id, old, new)
    WHERE c.id = a.id AND c.plan_id = ${planId} AND c.addressed_version_id IS NULL`.execute(db);
}
