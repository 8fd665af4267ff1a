/** Turns events into deliveries: one for each webhook that is subscribed to the event. */
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import type { Db } from '../../platform/db/index.ts';
import type { EventHandler, OutboxEvent, SubjectKind } from '../events/index.ts';
import { chatMessage, isChatEvent, isForChat } from './chat-message.ts';
import { peopleInMessages } from './chat-people.ts';
import type { WebhookFormat } from './contract.ts';
import { type DescribedEvent, deliveryPayload } from './delivery-payload.ts';
import { insertDeliveries, type NewDelivery } from './delivery-store.ts';
import { describePlanEvents } from './describe-plan-events.ts';
import { describePullRequestEvents } from './describe-pull-request-events.ts';
import { selectEventNames } from './event-subject-store.ts';
import { selectEventRepositories } from './pull-request-subject-store.ts';
import { selectEnabledWebhooks } from './webhook-store.ts';

type DescribeEvents = (
  db: Db,
  events: OutboxEvent[],
  baseUrl: string,
) => Promise<Map<OutboxEvent, DescribedEvent>>;

const DESCRIBE: Record<SubjectKind, DescribeEvents> = {
  plan: describePlanEvents,
  pull_request: describePullRequestEvents,
  // For admins only.
  code_host: async () => new Map(),
};

export function deliveryMaker(baseUrl: () => string): EventHandler {
  return async (db, events, now) => {
    const webhooks = await selectEnabledWebhooks(db, unique(events.map((event) => event.organizationId)));
    const needsRepositories = webhooks.some(
      ({ format, repository_id }) => format !== 'json' || repository_id !== null,
    );
    const repositories = needsRepositories
      ? await selectEventRepositories(db, unique(events.map((event) => event.subjectId)))
      : new Map<string, never>();
    const wanted = events.flatMap((event) => {
      const takers = webhooks.filter(
        (webhook) =>
          webhook.organization_id === event.organizationId &&
          (webhook.event_kinds.length === 0 || webhook.event_kinds.includes(event.kind)) &&
          isFor(webhook, event, repositories.get(event.subjectId)),
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
    const forChats = wanted.filter(({ takers }) => takers.some(({ format }) => format !== 'json'));
    const people = await peopleInMessages(
      db,
      forChats.map(({ event }) => event),
    );
    const deliveries = wanted.flatMap(({ event, takers }): NewDelivery[] => {
      const parts = described.get(event);
      // A pull request is deleted together with its repository.
      if (!parts) return [];
      const payload = deliveryPayload(event, parts, names);
      const who = { actor: names.get(event.actorUserId ?? '') ?? null, people: people.get(event) };
      const reached = takers.filter(({ format }) => format === 'json' || isForChat(event.kind, parts));
      return reached.map((webhook) => ({
        id: uuidv7(),
        organizationId: event.organizationId,
        webhookId: webhook.id,
        eventKind: event.kind,
        payload: webhook.format === 'json' ? payload : chatMessage(webhook.format, event.kind, parts, who),
      }));
    });
    await insertDeliveries(db, deliveries, now);
    return [];
  };
}

/** A chat of the whole organization gets nothing about repositories that only some members can see. */
function isFor(
  { format, repository_id: own }: { format: WebhookFormat; repository_id: string | null },
  { data, kind, subjectKind }: OutboxEvent,
  repository: { repositoryId: string; isOpen: boolean } | undefined,
): boolean {
  if (own !== null && repository?.repositoryId !== own) return false;
  if (format === 'json') return true;
  return isChatEvent(kind, data) && (own !== null || subjectKind === 'plan' || repository?.isOpen === true);
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
