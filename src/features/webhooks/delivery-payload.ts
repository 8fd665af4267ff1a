/** The body of a delivery: an event as JSON, the same for each attempt. */
import type { OutboxEvent } from '../events/index.ts';

/** The parts of a payload that depend on the kind of the event's subject. */
export interface DescribedEvent {
  /** For example `plan.comment_added`. */
  type: string;
  /** The subject under its own name, for example `plan`. */
  subject: Record<string, unknown>;
  data: Record<string, unknown>;
}

export function deliveryPayload(
  event: OutboxEvent,
  { data, subject, type }: DescribedEvent,
  names: ReadonlyMap<string, string>,
): string {
  const { actorKind, actorUserId, createdAt, number, organizationId } = event;
  return JSON.stringify({
    type,
    timestamp: createdAt.toISOString(),
    organizationId,
    number: Number(number),
    ...subject,
    actor: {
      kind: actorKind,
      id: actorUserId,
      name: actorUserId === null ? null : (names.get(actorUserId) ?? null),
    },
    data,
  });
}
