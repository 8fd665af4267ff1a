/**
 * Queries for deliveries. Due times use the clock of PostgreSQL only, like those of the queue, because the clocks of nodes
 * may differ.
 */
import { sql } from 'kysely';
import { type Db, deleteInBatches } from '../../platform/db/index.ts';
import type { DeliveryState } from './contract.ts';

const ATTEMPTS_LOGGED = 20;
/** Longer than an attempt can take; a worker that holds a delivery for longer has crashed. */
const CLAIM_SECONDS = 20;

const SHOWN = [
  'id',
  'webhook_id',
  'event_kind',
  'state',
  'attempts',
  'created_at',
  'last_attempt_at',
  'next_attempt_at',
  'response_status',
  'response_note',
  'duration_ms',
] as const;

export interface NewDelivery {
  id: string;
  organizationId: string;
  webhookId: string;
  eventKind: string;
  payload: string;
}

export async function insertDeliveries(db: Db, deliveries: NewDelivery[], now: Date): Promise<void> {
  if (deliveries.length === 0) return;
  await sql`
    INSERT INTO webhook_deliveries (id, organization_id, webhook_id, event_kind, payload, state, attempts, created_at,
      next_attempt_at, attempt_log)
    SELECT id, organization_id, webhook_id, event_kind, payload, 'pending', 0, ${now}, now(), '[]'
    FROM unnest(${deliveries.map((entry) => entry.id)}::uuid[], ${deliveries.map((entry) => entry.organizationId)}::uuid[],
      ${deliveries.map((entry) => entry.webhookId)}::uuid[], ${deliveries.map((entry) => entry.eventKind)}::text[],
      ${deliveries.map((entry) => entry.payload)}::text[])
      AS made (id, organization_id, webhook_id, event_kind, payload)`.execute(db);
}

export function selectDeliveries(
  db: Db,
  organizationId: string,
  page: { webhookId: string; state?: DeliveryState; beforeId?: string; limit: number },
) {
  return db
    .selectFrom('webhook_deliveries')
    .select(SHOWN)
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', page.webhookId)
    .$if(page.state !== undefined, (query) => query.where('state', '=', page.state!))
    .$if(page.beforeId !== undefined, (query) => query.where('id', '<', page.beforeId!))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();
}

export type DeliveryRow = Awaited<ReturnType<typeof selectDeliveries>>[number];

export function selectDelivery(db: Db, organizationId: string, webhookId: string, deliveryId: string) {
  return db
    .selectFrom('webhook_deliveries')
    .select([...SHOWN, 'payload', 'attempt_log'])
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', webhookId)
    .where('id', '=', deliveryId)
    .executeTakeFirst();
}

/** Resets a delivery, so that it is due now and gets queued. An attempt in progress is not interrupted. */
export async function renewDelivery(db: Db, organizationId: string, deliveryId: string): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ state: 'pending', attempts: 0, next_attempt_at: sql<Date>`now()`, queued_at: null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', deliveryId)
    .execute();
}

/** Cancels the pending deliveries of a webhook. */
export async function cancelDeliveries(
  db: Db,
  organizationId: string,
  webhookId: string,
  note: string,
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', next_attempt_at: null, response_note: note })
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'pending')
    .execute();
}

/** Locks deliveries that are not in the queue yet. Skips those that another worker has locked. */
export function lockUnqueued(db: Db, limit: number) {
  return db
    .selectFrom('webhook_deliveries')
    .select(['id', 'webhook_id'])
    .where('state', '=', 'pending')
    .where('queued_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

export async function markQueued(db: Db, deliveryIds: string[]): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ queued_at: sql<Date>`now()` })
    .where('id', '=', sql<string>`ANY(${deliveryIds}::uuid[])`)
    .execute();
}

/** Queues deliveries again that were due and queued over an hour ago but are still pending: the queue has lost them. */
export async function requeueStranded(db: Db): Promise<void> {
  await sql`
    UPDATE webhook_deliveries SET queued_at = NULL WHERE id IN (
      SELECT id FROM webhook_deliveries
      WHERE state = 'pending' AND next_attempt_at < now() - interval '1 hour' AND queued_at < now() - interval '1 hour'
      LIMIT 1000 FOR UPDATE SKIP LOCKED)`.execute(db);
}

export interface ClaimedDelivery {
  id: string;
  organization_id: string;
  webhook_id: string;
  payload: string;
  attempts: number;
  url: string;
  sealed_url: Buffer | null;
  secret: string | null;
  sealed_secret: Buffer | null;
  /** Whether the webhook still accepts deliveries. */
  wanted: boolean;
}

/** Claims a due delivery for one attempt and counts the attempt. */
export async function claimDelivery(db: Db, deliveryId: string): Promise<ClaimedDelivery | undefined> {
  const { rows } = await sql<ClaimedDelivery>`
    UPDATE webhook_deliveries d
    SET attempts = d.attempts + 1, claimed_until = date_trunc('milliseconds', now()) + ${CLAIM_SECONDS} * interval '1 second'
    FROM webhooks w
    WHERE d.id = ${deliveryId} AND w.id = d.webhook_id AND d.state = 'pending' AND d.next_attempt_at <= now()
      AND (d.claimed_until IS NULL OR d.claimed_until <= now())
    RETURNING d.id, d.organization_id, d.webhook_id, d.payload, d.attempts, w.url, w.sealed_url, w.secret, w.sealed_secret,
      w.enabled AND w.deleted_at IS NULL AS wanted`.execute(db);
  return rows[0];
}

/** Whether another worker has claimed a due delivery, and until when. */
export function selectHeld(db: Db, deliveryId: string) {
  return db
    .selectFrom('webhook_deliveries')
    .select(['id', 'webhook_id', 'claimed_until'])
    .where('id', '=', deliveryId)
    .where('state', '=', 'pending')
    .where('next_attempt_at', '<=', sql<Date>`now()`)
    .where('claimed_until', 'is not', null)
    .executeTakeFirst();
}

/** Releases a delivery after an aborted attempt, which doesn't count. */
export async function releaseDelivery(db: Db, delivery: ClaimedDelivery): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ attempts: delivery.attempts - 1, claimed_until: null })
    .where('id', '=', delivery.id)
    .where('attempts', '=', delivery.attempts)
    .execute();
}

export interface AttemptRecord {
  at: Date;
  state: DeliveryState;
  responseStatus: number | null;
  note: string | null;
  durationMs: number;
  /** The delay before the next attempt, if there is one. */
  retryDelayMs: number | undefined;
}

/**
 * Records the outcome of an attempt and returns when the next one is due. Writes nothing if the delivery was canceled,
 * claimed by another worker or resent in the meantime.
 */
export async function recordAttempt(
  db: Db,
  delivery: ClaimedDelivery,
  record: AttemptRecord,
): Promise<Date | undefined> {
  const { at, durationMs, note, responseStatus } = record;
  const entry = JSON.stringify([{ at: at.toISOString(), responseStatus, note, durationMs }]);
  const { rows } = await sql<{ next_attempt_at: Date | null }>`
    UPDATE webhook_deliveries SET
      state = ${record.state}, claimed_until = NULL, last_attempt_at = ${at}, response_status = ${responseStatus},
      response_note = ${note}, duration_ms = ${durationMs},
      next_attempt_at = date_trunc('milliseconds', now() + ${record.retryDelayMs ?? null}::float8 * interval '1 millisecond'),
      attempt_log = (SELECT jsonb_agg(element ORDER BY position)
        FROM jsonb_array_elements(attempt_log || ${entry}::jsonb) WITH ORDINALITY AS kept (element, position)
        WHERE position > jsonb_array_length(attempt_log) + 1 - ${ATTEMPTS_LOGGED}::integer)
    WHERE id = ${delivery.id} AND state = 'pending' AND attempts = ${delivery.attempts}
    RETURNING next_attempt_at`.execute(db);
  return rows[0]?.next_attempt_at ?? undefined;
}

export function deleteOldDeliveries(db: Db, before: Date): Promise<void> {
  return deleteInBatches(
    db,
    (limit) => sql`DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE created_at < ${before} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  );
}
