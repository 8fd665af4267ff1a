/** Inserts plans, versions, comments and events as rows. */
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import { type Db, inTransaction } from '../../../src/platform/db/index.ts';
import type { Person } from '../service/factories.ts';

export interface PlanRows {
  id: string;
  organizationId: string;
  seriesId: string;
  versionId: string;
}

type Who = Pick<Person, 'organizationId' | 'userId'>;

/** A plan with one version and its event. */
export async function makePlan(
  db: Db,
  creator: Who,
  options: { title?: string; at?: Date } = {},
): Promise<PlanRows> {
  const { at = new Date(), title = 'A plan' } = options;
  const plan = { id: uuidv7(), organizationId: creator.organizationId, seriesId: uuidv7() };
  await db
    .insertInto('plans')
    .values({
      id: plan.id,
      organization_id: plan.organizationId,
      series_id: plan.seriesId,
      status: 'pending',
      title,
      agent_vendor: 'codex',
      created_by: creator.userId,
      created_at: at,
      updated_at: at,
      version: 0,
      content_since: 1,
      last_event: 0,
      comment_count: 0,
    })
    .execute();
  const versionId = await insertVersion(db, plan, creator, 1, at);
  await addEvent(db, plan, creator, 'plan_created', { version: 1, versionId, title }, at);
  return { ...plan, versionId };
}

/** Another version and its event. */
export async function addVersion(
  db: Db,
  plan: PlanRows,
  author: Who,
  options: { unchanged?: boolean; at?: Date } = {},
): Promise<string> {
  const { at = new Date(), unchanged = false } = options;
  const { version } = await db
    .selectFrom('plans')
    .select('version')
    .where('id', '=', plan.id)
    .executeTakeFirstOrThrow();
  const versionId = await insertVersion(db, plan, author, version + 1, at);
  await addEvent(
    db,
    plan,
    author,
    'version_added',
    { version: version + 1, versionId, title: 'A plan', unchanged },
    at,
  );
  return versionId;
}

async function insertVersion(
  db: Db,
  plan: { id: string; organizationId: string },
  author: Who,
  version: number,
  at: Date,
): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('plan_versions')
    .values({
      id,
      plan_id: plan.id,
      organization_id: plan.organizationId,
      version,
      title: 'A plan',
      content: `# A plan\n\nVersion ${version}.`,
      unchanged: false,
      author_id: author.userId,
      author_kind: 'key',
      agent_vendor: 'codex',
      created_at: at,
    })
    .execute();
  await db.updateTable('plans').set({ version, version_id: id }).where('id', '=', plan.id).execute();
  return id;
}

/** A comment or a reply and its event. */
export async function addComment(
  db: Db,
  plan: PlanRows,
  author: Who,
  options: { body?: string; replyTo?: string; at?: Date } = {},
): Promise<string> {
  const { at = new Date(), body = 'A comment.', replyTo } = options;
  const id = uuidv7();
  const parent = replyTo
    ? await db
        .selectFrom('plan_comments')
        .select('thread_id')
        .where('id', '=', replyTo)
        .executeTakeFirstOrThrow()
    : undefined;
  const threadId = parent?.thread_id ?? id;
  await db
    .insertInto('plan_comments')
    .values({
      id,
      plan_id: plan.id,
      organization_id: plan.organizationId,
      version_id: plan.versionId,
      parent_id: replyTo ?? null,
      thread_id: threadId,
      author_id: author.userId,
      author_kind: 'session',
      body,
      created_at: at,
    })
    .execute();
  const data = { commentId: id, threadId, parentId: replyTo ?? null, versionId: plan.versionId };
  await addEvent(db, plan, author, 'comment_added', data, at);
  return id;
}

/** An event with the plan's next number, written under the lock of the plan's row like every change. */
export function addEvent(
  db: Db,
  plan: { id: string; organizationId: string },
  actor: Who | null,
  kind: string,
  data: Record<string, unknown>,
  at: Date = new Date(),
): Promise<string> {
  return inTransaction(db, async (transaction) => {
    const { last_event: last } = await transaction
      .selectFrom('plans')
      .select('last_event')
      .where('id', '=', plan.id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const number = String(Number(last) + 1);
    await transaction
      .insertInto('events')
      .values({
        subject_kind: 'plan',
        subject_id: plan.id,
        number,
        organization_id: plan.organizationId,
        kind,
        actor_kind: actor ? 'session' : 'service',
        actor_user_id: actor?.userId ?? null,
        data: JSON.stringify(data),
        created_at: at,
      })
      .execute();
    await transaction
      .insertInto('event_outbox')
      .values({
        subject_kind: 'plan',
        subject_id: plan.id,
        organization_id: plan.organizationId,
        handled: last,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await transaction.updateTable('plans').set({ last_event: number }).where('id', '=', plan.id).execute();
    return number;
  });
}
