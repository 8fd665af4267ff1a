/** Queries for webhooks. Deleted webhooks are kept for their deliveries only. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { MAX_WEBHOOKS, type WebhookFormat } from './contract.ts';

/** Locks the organization's webhooks, so that concurrent requests can't exceed the limit. */
export async function lockWebhooks(db: Db, organizationId: string): Promise<void> {
  await db.selectFrom('organizations').select('id').where('id', '=', organizationId).forUpdate().execute();
}

export async function countWebhooks(db: Db, organizationId: string): Promise<number> {
  const row = await db
    .selectFrom('webhooks')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
}

export interface NewWebhook {
  id: string;
  organizationId: string;
  url: string;
  sealedUrl: Buffer | null;
  format: WebhookFormat;
  repositoryId: string | null;
  sealedSecret: Buffer;
  eventKinds: string[];
  enabled: boolean;
  createdBy: string;
  at: Date;
}

export async function insertWebhook(db: Db, webhook: NewWebhook): Promise<void> {
  await db
    .insertInto('webhooks')
    .values({
      id: webhook.id,
      organization_id: webhook.organizationId,
      url: webhook.url,
      sealed_url: webhook.sealedUrl,
      format: webhook.format,
      repository_id: webhook.repositoryId,
      sealed_secret: webhook.sealedSecret,
      event_kinds: webhook.eventKinds,
      enabled: webhook.enabled,
      created_by: webhook.createdBy,
      created_at: webhook.at,
      updated_at: webhook.at,
    })
    .execute();
}

/** Never with the secret. */
function webhooks(db: Db, organizationId: string) {
  return db
    .selectFrom('webhooks as w')
    .innerJoin('users as u', 'u.id', 'w.created_by')
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom('webhook_deliveries')
          .select(['id', 'state', 'created_at', 'response_status'])
          .whereRef('webhook_id', '=', 'w.id')
          .orderBy('id', 'desc')
          .limit(1)
          .as('d'),
      (join) => join.onTrue(),
    )
    .select([
      'w.id',
      'w.url',
      'w.format',
      'w.repository_id',
      'w.event_kinds',
      'w.enabled',
      'w.created_at',
      'w.updated_at',
      'u.id as creator_id',
      'u.name as creator_name',
      'd.id as delivery_id',
      'd.state as delivery_state',
      'd.created_at as delivery_created_at',
      'd.response_status as delivery_response_status',
    ])
    .where('w.organization_id', '=', organizationId)
    .where('w.deleted_at', 'is', null);
}

export function selectWebhooks(db: Db, organizationId: string) {
  return webhooks(db, organizationId).orderBy('w.id').limit(MAX_WEBHOOKS).execute();
}

export type WebhookRow = Awaited<ReturnType<typeof selectWebhooks>>[number];

export function selectWebhook(
  db: Db,
  organizationId: string,
  webhookId: string,
): Promise<WebhookRow | undefined> {
  return webhooks(db, organizationId).where('w.id', '=', webhookId).executeTakeFirst();
}

/** Locks the webhook until the end of the transaction. */
export function lockWebhook(db: Db, organizationId: string, webhookId: string) {
  return db
    .selectFrom('webhooks')
    .select(['id', 'url', 'format', 'sealed_url', 'sealed_secret', 'secret', 'event_kinds', 'enabled'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', webhookId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateWebhook(
  db: Db,
  organizationId: string,
  webhookId: string,
  values: {
    url?: string;
    sealed_url?: Buffer;
    sealed_secret?: Buffer | null;
    event_kinds?: string[];
    enabled?: boolean;
    deleted_at?: Date;
    updated_at: Date;
  },
): Promise<void> {
  await db
    .updateTable('webhooks')
    .set(values.sealed_secret === undefined ? values : { ...values, secret: null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', webhookId)
    .execute();
}

/** All enabled webhooks of these organizations. */
export function selectEnabledWebhooks(db: Db, organizationIds: string[]) {
  return db
    .selectFrom('webhooks')
    .select(['id', 'organization_id', 'event_kinds', 'format', 'repository_id'])
    .where('organization_id', '=', sql<string>`ANY(${organizationIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .where('enabled', '=', true)
    .orderBy('id')
    .execute();
}

/** Locks some webhooks whose secret is not encrypted yet. Skips those that another node has locked. */
export async function lockPlainSecrets(db: Db, limit: number): Promise<{ id: string; secret: string }[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select(['id', 'secret'])
    .where('secret', 'is not', null)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  return rows as { id: string; secret: string }[];
}

/** Replaces a plain-text secret with an encrypted one. */
export async function updateSecret(db: Db, webhookId: string, sealed: Buffer | null): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ secret: null, sealed_secret: sealed })
    .where('id', '=', webhookId)
    .execute();
}

export async function isRepository(db: Db, organizationId: string, repositoryId: string): Promise<boolean> {
  const row = await db
    .selectFrom('repositories')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', repositoryId)
    .executeTakeFirst();
  return row !== undefined;
}
