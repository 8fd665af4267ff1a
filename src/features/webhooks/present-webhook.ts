/** Turns webhook and delivery rows into their API shapes, never with the secret. */
import type { z } from 'zod';
import type { Webhook, WebhookDelivery, WebhookDeliveryDetail } from './contract.ts';
import type { DeliveryRow } from './delivery-store.ts';
import type { WebhookRow } from './webhook-store.ts';

export function presentWebhook(row: WebhookRow): z.input<typeof Webhook> {
  return {
    id: row.id,
    url: row.url,
    format: row.format,
    repositoryId: row.repository_id,
    eventKinds: row.event_kinds,
    enabled: row.enabled,
    createdBy: { id: row.creator_id, name: row.creator_name },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    newestDelivery:
      row.delivery_id === null
        ? null
        : {
            id: row.delivery_id,
            state: row.delivery_state!,
            createdAt: row.delivery_created_at!.toISOString(),
            responseStatus: row.delivery_response_status,
          },
  };
}

export function presentDelivery(row: DeliveryRow): z.input<typeof WebhookDelivery> {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    eventKind: row.event_kind,
    state: row.state,
    attempts: row.attempts,
    createdAt: row.created_at.toISOString(),
    lastAttemptAt: row.last_attempt_at?.toISOString() ?? null,
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
    responseStatus: row.response_status,
    note: row.response_note,
    durationMs: row.duration_ms,
  };
}

export function presentDeliveryDetail(
  row: DeliveryRow & { payload: string; attempt_log: unknown },
): z.input<typeof WebhookDeliveryDetail> {
  return { ...presentDelivery(row), payload: row.payload, attemptLog: row.attempt_log as never };
}
