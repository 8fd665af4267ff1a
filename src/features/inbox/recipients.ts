/**
 * Who gets an inbox item for an event, and of which kind. Invariants: people are never notified of their own actions, only
 * active members are notified, and each person is notified at most once per event.
 */
import type { InboxKind } from './contract.ts';

/** A person involved in an event, with the kind of item that would tell them about it. */
export type Interest = [userId: string, kind: InboxKind];

export interface NotifiableEvent {
  /** Null if the service itself is the actor. */
  actorId: string | null;
  /** If a person is listed more than once, the first reason counts. */
  interested: readonly Interest[];
  activeIds: ReadonlySet<string>;
}

export function recipientsOf({ activeIds, actorId, interested }: NotifiableEvent): Map<string, InboxKind> {
  const recipients = new Map<string, InboxKind>();
  for (const [userId, kind] of interested) {
    if (userId === actorId || !activeIds.has(userId)) continue;
    if (!recipients.has(userId)) recipients.set(userId, kind);
  }
  return recipients;
}
