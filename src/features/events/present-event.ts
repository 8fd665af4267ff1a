/** Turns an event row into its API shape. */
import type { z } from 'zod';
import type { Actor } from '../../platform/core/operations/actor.ts';
import type { eventShape } from './contract.ts';
import type { EventRow } from './event-store.ts';

export function presentEvent(row: EventRow): z.input<ReturnType<typeof eventShape>> {
  return {
    number: Number(row.number),
    kind: row.kind,
    actor: { kind: row.actor_kind, id: row.actor_user_id, name: row.actor_name },
    createdAt: row.created_at.toISOString(),
    data: row.data as Record<string, unknown>,
  };
}

/**
 * Whether the event was made with the caller's credential. Events from before credentials were recorded are compared by
 * user and kind of credential.
 */
export function isOwn(event: EventRow, { credentialId, kind, userId }: Actor): boolean {
  return event.actor_credential_id === null
    ? event.actor_user_id === userId && event.actor_kind === kind
    : event.actor_credential_id === credentialId;
}
