/** Turns events into deliveries: one for each webhook that is subscribed to the event. */
import { uuidv7 } from '../../platform/core/uuid.ts';
import type { Db } from '../../platform/db/index.ts';
import type { EventHandler, OutboxEvent, SubjectKind } from '../events/index.ts';
import { type DescribedEvent, deliveryPayload } from './delivery-payload.ts';
import { insertDeliveries, type NewDelivery } from './delivery-store.ts';
import { describePlanEvents } from './describe-plan-events.ts';
import { describePullRequestEvents } from './describe-pull-request-events.ts';
import { selectEventNames } from './event-subject-store.ts';
import { selectEnabledWebhooks } from './webhook-store.ts';

type DescribeEvents = (
  db: Db,
  events: OutboxEvent[],
  baseUrl: string,
) => Promise<Map<OutboxEvent, DescribedEvent>>;

const DESCRIBE: Record<SubjectKind, DescribeEvents> = {
  plan: describePlanEvents,
  pull_request: describePullRequestEvents,
};

export function deliveryMaker(baseUrl: () => string): EventHandler {
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
    const described = await describe(db, selected, baseUrl());
    const names = await selectEventNames(
      db,
      unique(selected.flatMap(({ actorUserId }) => actorUserId ?? [])),
    );
    const deliveries = wanted.flatMap(({ event, takers }): NewDelivery[] => {
      const parts = described.get(event);
      // A pull request is deleted together with its repository.
      if (!parts) return [];
      const payload = deliveryPayload(event, parts, names);
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

async function describe(db: Db, events: OutboxEvent[], baseUrl: string) {
  const described = new Map<OutboxEvent, DescribedEvent>();
  for (const [kind, some] of Map.groupBy(events, (event) => event.subjectKind)) {
    for (const [event, parts] of await DESCRIBE[kind](db, some, baseUrl)) described.set(event, parts);
  }
  return described;
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}
