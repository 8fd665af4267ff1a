/** Turns plan events into deliveries: one for each webhook that is subscribed to the event. */
import { uuidv7 } from '../../platform/core/uuid.ts';
import type { OutboxEvent, PlanEventHandler } from '../plans/index.ts';
import { deliveryPayload } from './delivery-payload.ts';
import { insertDeliveries, type NewDelivery } from './delivery-store.ts';
import { selectEventComments, selectEventNames, selectEventPlans } from './event-subject-store.ts';
import { selectEnabledWebhooks } from './webhook-store.ts';

export function deliveryMaker(baseUrl: () => string): PlanEventHandler {
  return async (db, events, now) => {
    const webhooks = await selectEnabledWebhooks(db, unique(events.map((event) => event.organizationId)));
    const wanted = events.flatMap((event) => {
      const takers = webhooks.filter(
        (webhook) =>
          webhook.organization_id === event.organizationId &&
          (webhook.event_kinds.length === 0 || webhook.event_kinds.includes(event.kind)),
      );
      return takers.length === 0 ? [] : [{ event, takers }];
    });
    if (wanted.length === 0) return [];
    const selected = wanted.map(({ event }) => event);
    const plans = await selectEventPlans(db, unique(selected.map((event) => event.planId)));
    const names = await selectEventNames(
      db,
      unique(selected.flatMap(({ actorUserId }) => actorUserId ?? [])),
    );
    const comments = await selectEventComments(
      db,
      unique(selected.flatMap((event) => commentOf(event) ?? [])),
    );
    const deliveries = wanted.flatMap(({ event, takers }): NewDelivery[] => {
      const comment = comments.get(commentOf(event) ?? '');
      const payload = deliveryPayload(event, plans.get(event.planId)!, names, comment, baseUrl());
      return takers.map((webhook) => ({
        id: uuidv7(),
        organizationId: event.organizationId,
        webhookId: webhook.id,
        eventKind: event.kind,
        payload,
      }));
    });
    await insertDeliveries(db, deliveries, now);
    return [];
  };
}

function commentOf({ data }: OutboxEvent): string | undefined {
  return typeof data.commentId === 'string' ? data.commentId : undefined;
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}
