/** Queries of the checks of what organizations set up: of one organization, or of all for the operator. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';

const MAX_SHOWN = 20;

/** Whether any code host is connected. */
export async function hasCodeHost(db: Db, organizationId: string | undefined): Promise<boolean> {
  const row = await db
    .selectFrom('code_hosts')
    .select('id')
    .$if(organizationId !== undefined, (query) => query.where('organization_id', '=', organizationId!))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Connections to code hosts that don't work. */
export function selectFailingHosts(db: Db, organizationId: string | undefined) {
  return db
    .selectFrom('code_hosts')
    .select(['url', 'state', 'problem'])
    .where('state', '<>', 'working')
    .$if(organizationId !== undefined, (query) => query.where('organization_id', '=', organizationId!))
    .orderBy('url')
    .limit(MAX_SHOWN)
    .execute();
}

/** Repositories whose webhook could not be created, by host and reason. */
export function countFailedHostWebhooks(db: Db, organizationId: string | undefined) {
  return db
    .selectFrom('code_host_repositories as r')
    .innerJoin('code_hosts as h', 'h.id', 'r.code_host_id')
    .select(['h.url', sql<string>`coalesce(r.webhook_problem, 'no reason given')`.as('problem')])
    .select(sql<number>`count(*)::int`.as('count'))
    .where('r.webhook_state', '=', 'failed')
    .$if(organizationId !== undefined, (query) => query.where('h.organization_id', '=', organizationId!))
    .groupBy(['h.id', 'h.url', 'r.webhook_problem'])
    .orderBy('h.url')
    .limit(MAX_SHOWN)
    .execute();
}

/** Deliveries of the last day that were given up. */
export function countFailingWebhooks(db: Db, organizationId: string | undefined) {
  return db
    .selectFrom('webhook_deliveries')
    .select(sql<number>`count(*)::int`.as('deliveries'))
    .select(sql<number>`count(DISTINCT webhook_id)::int`.as('webhooks'))
    .where('state', '=', 'failed')
    .where('created_at', '>', sql<Date>`now() - interval '24 hours'`)
    .$if(organizationId !== undefined, (query) => query.where('organization_id', '=', organizationId!))
    .executeTakeFirstOrThrow();
}

/** The identity providers in use. */
export async function selectIssuers(db: Db, organizationId: string | undefined): Promise<string[]> {
  const rows = await db
    .selectFrom('single_sign_on')
    .select('issuer')
    .distinct()
    .where('enabled', '=', true)
    .where('switched_off_at', 'is', null)
    .$if(organizationId !== undefined, (query) => query.where('organization_id', '=', organizationId!))
    .orderBy('issuer')
    .limit(MAX_SHOWN)
    .execute();
  return rows.map(({ issuer }) => issuer);
}

/** Organizations with models of their own or with none, and what their last test found. */
export function selectModelTests(db: Db, organizationId: string | undefined) {
  return db
    .selectFrom('model_settings as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select([
      'o.name',
      sql<string | null>`coalesce(m.tested->'finding'->>'problem', m.tested->'secondLook'->>'problem')`.as(
        'problem',
      ),
    ])
    .$if(organizationId !== undefined, (query) => query.where('m.organization_id', '=', organizationId!))
    .orderBy('o.name')
    .limit(MAX_SHOWN)
    .execute();
}
