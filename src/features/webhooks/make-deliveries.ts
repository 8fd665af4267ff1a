/** Turns events of plans into deliveries: one for each webhook that wants to be told of the event. */
import { sql } from 'kysely';
import { uuidv7 } from '../../platform/core/uuid.ts';
import type { Db } from '../../platform/db/index.ts';
import type { OutboxEvent, PlanEventHandler } from '../plans/index.ts';
import {
  COMMENT_CHARACTERS,
  deliveryPayload,
  type NotifiedComment,
  type NotifiedPlan,
} from './delivery-payload.ts';
import { insertDeliveries, type NewDelivery } from './delivery-store.ts';
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
    const told = wanted.map(({ event }) => event);
    const plans = await selectPlans(db, unique(told.map((event) => event.planId)));
    const names = await selectNames(db, unique(told.flatMap(({ actorUserId }) => actorUserId ?? [])));
    const comments = await selectComments(db, unique(told.flatMap((event) => commentOf(event) ?? [])));
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

async function selectPlans(db: Db, planIds: string[]): Promise<Map<string, NotifiedPlan>> {
  const rows = await db
    .selectFrom('plans')
    .select(['id', 'series_id', 'title', 'status'])
    .where('id', '=', sql<string>`ANY(${planIds}::uuid[])`)
    .execute();
  return new Map(
    rows.map((row) => [row.id, { seriesId: row.series_id, title: row.title, status: row.status }]),
  );
}

async function selectNames(db: Db, userIds: string[]): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`ANY(${userIds}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

async function selectComments(db: Db, commentIds: string[]): Promise<Map<string, NotifiedComment>> {
  if (commentIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('plan_comments as c')
    .innerJoin('users as u', 'u.id', 'c.author_id')
    .select([
      'c.id',
      sql<string>`left(c.body, ${COMMENT_CHARACTERS}::integer)`.as('body'),
      sql<boolean>`char_length(c.body) > ${COMMENT_CHARACTERS}`.as('truncated'),
      'u.id as author_id',
      'u.name as author_name',
    ])
    .where('c.id', '=', sql<string>`ANY(${commentIds}::uuid[])`)
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        body: row.body,
        bodyTruncated: row.truncated,
        author: { id: row.author_id, name: row.author_name },
      },
    ]),
  );
}
