/** Queries for mail settings and for mails, each of one person in one organization. */
import { type RawBuilder, sql } from 'kysely';
import type { Role } from '../../platform/core/operations/actor.ts';
import { type Db, deleteInBatches } from '../../platform/db/index.ts';
import type { InboxKind } from '../inbox/index.ts';
import { MAX_DIGEST_ITEMS, type MailFrequencies } from './contract.ts';
import { DEFAULT_FREQUENCIES } from './mail-topics.ts';

export interface Person {
  organizationId: string;
  userId: string;
}

/** Longer than any attempt takes. */
const CLAIM_MS = 5 * 60_000;

interface SettingsRow {
  comments: MailFrequencies['comments'] | null;
  replies: MailFrequencies['replies'] | null;
  mentions: MailFrequencies['mentions'] | null;
  review_requests: MailFrequencies['reviewRequests'] | null;
  decisions: MailFrequencies['decisions'] | null;
  updates: MailFrequencies['updates'] | null;
  watching: MailFrequencies['watching'] | null;
}

function frequenciesOf(row: SettingsRow | undefined): MailFrequencies {
  if (!row || row.comments === null) return DEFAULT_FREQUENCIES;
  return {
    comments: row.comments,
    replies: row.replies!,
    mentions: row.mentions!,
    reviewRequests: row.review_requests!,
    decisions: row.decisions!,
    updates: row.updates!,
    watching: row.watching!,
  };
}

export async function selectFrequencies(db: Db, person: Person): Promise<MailFrequencies> {
  const row = await db
    .selectFrom('mail_settings')
    .select(['comments', 'replies', 'mentions', 'review_requests', 'decisions', 'updates', 'watching'])
    .where('organization_id', '=', person.organizationId)
    .where('user_id', '=', person.userId)
    .executeTakeFirst();
  return frequenciesOf(row);
}

/** Changes only what is given, also if two requests change different settings at once. */
export async function saveFrequencies(
  db: Db,
  person: Person,
  changes: Partial<MailFrequencies>,
  at: Date,
): Promise<void> {
  const columns = (values: Partial<MailFrequencies>) => ({
    ...(values.comments && { comments: values.comments }),
    ...(values.replies && { replies: values.replies }),
    ...(values.mentions && { mentions: values.mentions }),
    ...(values.reviewRequests && { review_requests: values.reviewRequests }),
    ...(values.decisions && { decisions: values.decisions }),
    ...(values.updates && { updates: values.updates }),
    ...(values.watching && { watching: values.watching }),
    updated_at: at,
  });
  const { reviewRequests, ...others } = { ...DEFAULT_FREQUENCIES, ...changes };
  await db
    .insertInto('mail_settings')
    .values({
      organization_id: person.organizationId,
      user_id: person.userId,
      ...others,
      review_requests: reviewRequests,
      updated_at: at,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(columns(changes)))
    .execute();
}

export interface ItemToMail extends Person {
  id: string;
  kind: InboxKind;
  frequencies: MailFrequencies;
}

/** The inbox items of these events, with the settings of their people. */
export function selectItemsOfEvents(
  db: Db,
  events: { subjectId: string; number: string }[],
): Promise<ItemToMail[]> {
  return selectItems(
    db,
    sql`unnest(${events.map((event) => event.subjectId)}::uuid[], ${events.map((event) => event.number)}::bigint[])
      AS e (subject_id, number) JOIN inbox_items i ON i.subject_id = e.subject_id AND i.event_number = e.number`,
  );
}

export function selectItemsToMail(db: Db, itemIds: string[]): Promise<ItemToMail[]> {
  return selectItems(db, sql`unnest(${itemIds}::uuid[]) AS e (id) JOIN inbox_items i ON i.id = e.id`);
}

async function selectItems(db: Db, from: RawBuilder<unknown>): Promise<ItemToMail[]> {
  const { rows } = await sql<
    SettingsRow & { id: string; organization_id: string; user_id: string; kind: InboxKind }
  >`
    SELECT i.id, i.organization_id, i.user_id, i.kind,
      s.comments, s.replies, s.mentions, s.review_requests, s.decisions, s.updates, s.watching
    FROM ${from}
    LEFT JOIN mail_settings s ON s.organization_id = i.organization_id AND s.user_id = i.user_id
    ORDER BY i.id`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    userId: row.user_id,
    kind: row.kind,
    frequencies: frequenciesOf(row),
  }));
}

/** A mail for each item, with the ID of the item: an item is never mailed twice. */
export async function insertMails(db: Db, items: (Person & { id: string })[], at: Date): Promise<void> {
  if (items.length === 0) return;
  await sql`
    INSERT INTO mails (id, organization_id, user_id, digest, item_ids, state, attempts, created_at, due_at)
    SELECT id, organization_id, user_id, false, ARRAY[id], 'pending', 0, ${at}, ${at}
    FROM unnest(${items.map((item) => item.id)}::uuid[], ${items.map((item) => item.organizationId)}::uuid[],
      ${items.map((item) => item.userId)}::uuid[]) AS item (id, organization_id, user_id)
    ON CONFLICT (id) DO NOTHING`.execute(db);
}

/** Adds items to the person's next digest, up to the limit. */
export async function addToDigest(
  db: Db,
  digest: Person & { id: string; itemIds: string[]; dueAt: Date },
  at: Date,
): Promise<void> {
  await sql`
    INSERT INTO mails (id, organization_id, user_id, digest, item_ids, state, attempts, created_at, due_at)
    VALUES (${digest.id}, ${digest.organizationId}, ${digest.userId}, true, ${digest.itemIds}::uuid[], 'pending', 0, ${at},
      ${digest.dueAt})
    ON CONFLICT (organization_id, user_id) WHERE digest AND state = 'pending' AND attempts = 0
    DO UPDATE SET item_ids = mails.item_ids || excluded.item_ids
    WHERE cardinality(mails.item_ids) < ${MAX_DIGEST_ITEMS}`.execute(db);
}

export interface ClaimedMail {
  id: string;
  organization_id: string;
  user_id: string;
  digest: boolean;
  item_ids: string[];
  attempts: number;
}

/** Claims the next due mail for one attempt. */
export async function claimMail(db: Db, now: Date): Promise<ClaimedMail | undefined> {
  const { rows } = await sql<ClaimedMail>`
    UPDATE mails SET state = 'sending', attempts = attempts + 1, claimed_until = ${new Date(now.getTime() + CLAIM_MS)}
    WHERE id = (SELECT id FROM mails WHERE state = 'pending' AND due_at <= ${now}
      ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, organization_id, user_id, digest, item_ids, attempts`.execute(db);
  return rows[0];
}

/** Gives up on mails whose sender died: the server may have accepted them. */
export async function abandonInterrupted(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('mails')
    .set({ state: 'unclear', claimed_until: null, note: 'The service stopped while it was sending this.' })
    .where('state', '=', 'sending')
    .where('claimed_until', '<=', now)
    .execute();
}

export async function finishMail(
  db: Db,
  mail: ClaimedMail,
  end: { state: 'sent' | 'skipped' | 'failed' | 'unclear'; note?: string } | { dueAt: Date; note: string },
): Promise<void> {
  await db
    .updateTable('mails')
    .set({
      claimed_until: null,
      note: end.note ?? null,
      ...('dueAt' in end ? { state: 'pending' as const, due_at: end.dueAt } : { state: end.state }),
    })
    .where('id', '=', mail.id)
    .where('state', '=', 'sending')
    .where('attempts', '=', mail.attempts)
    .execute();
}

/** The person as a reader and as an address; undefined unless they are an active member. */
export function selectRecipient(db: Db, person: Person) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select(['u.name', 'u.email', 'o.name as organization', sql<Role>`m.role`.as('role')])
    .where('m.organization_id', '=', person.organizationId)
    .where('m.user_id', '=', person.userId)
    .where('m.deactivated_at', 'is', null)
    .where('m.suspended_at', 'is', null)
    .executeTakeFirst();
}

export function deleteOldMails(db: Db, before: Date): Promise<void> {
  return deleteInBatches(
    db,
    (limit) => sql`DELETE FROM mails WHERE id IN (
      SELECT id FROM mails WHERE created_at < ${before} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  );
}
