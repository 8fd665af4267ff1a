/** Queries on the single sign-on settings of organizations. */
import { sql } from 'kysely';
import type { RoleRule, SingleSignOnSettings } from '../../../engines/identity-provider/contract.ts';
import type { Db } from '../../../platform/db/index.ts';

const COLUMNS = [
  ...([
    'organization_id',
    'issuer',
    'client_id',
    'client_secret',
    'name',
    'enabled',
    'allowed_domains',
  ] as const),
  ...(['role_claim', 'password_sign_in', 'recheck_minutes', 'sign_in_hours', 'switched_off_at'] as const),
] as const;

function selectColumns(db: Db) {
  return db
    .selectFrom('single_sign_on')
    .select(COLUMNS)
    .select([
      sql<SingleSignOnSettings['newMembers']>`new_members`.as('new_members'),
      sql<SingleSignOnSettings['defaultRole']>`default_role`.as('default_role'),
      sql<RoleRule[]>`role_rules`.as('role_rules'),
    ]);
}

export type SettingsRow = NonNullable<Awaited<ReturnType<typeof selectSettings>>>;

export function selectSettings(db: Db, organizationId: string, options: { hold?: boolean } = {}) {
  return selectColumns(db)
    .where('organization_id', '=', organizationId)
    .$if(options.hold === true, (query) => query.forUpdate())
    .executeTakeFirst();
}

/** Whether it works now. */
export function isOn(row: SettingsRow): boolean {
  return row.enabled && row.switched_off_at === null;
}

/** At most this many buttons are shown. */
const MAX_PROVIDERS = 20;

export function selectProviders(db: Db) {
  return db
    .selectFrom('single_sign_on')
    .select(['organization_id', 'name', 'password_sign_in'])
    .where('enabled', '=', true)
    .where('switched_off_at', 'is', null)
    .orderBy('name')
    .orderBy('organization_id')
    .limit(MAX_PROVIDERS)
    .execute();
}

/** Whether some organization lets people in with a password. Before the setup there is none, and it is asked for there. */
export async function anyPasswordSignIn(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('organizations')
    .select('id')
    .where('single_sign_on_only', '=', false)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

type Columns = Omit<SingleSignOnSettings, 'clientSecret'> & { enabled: boolean; clientSecret: Buffer };

export async function upsertSettings(
  db: Db,
  organizationId: string,
  settings: Columns,
  at: Date,
): Promise<void> {
  const values = {
    issuer: settings.issuer,
    client_id: settings.clientId,
    client_secret: settings.clientSecret,
    name: settings.name,
    enabled: settings.enabled,
    allowed_domains: settings.allowedDomains,
    new_members: settings.newMembers,
    default_role: settings.defaultRole,
    role_claim: settings.roleClaim,
    role_rules: JSON.stringify(settings.roleRules),
    password_sign_in: settings.passwordSignIn,
    recheck_minutes: settings.recheckMinutes,
    sign_in_hours: settings.signInHours,
    updated_at: at,
  };
  await db
    .insertInto('single_sign_on')
    .values({ organization_id: organizationId, ...values })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(values))
    .execute();
}

export async function updateSwitchedOff(db: Db, organizationId: string, at: Date | null): Promise<void> {
  await db
    .updateTable('single_sign_on')
    .set({ switched_off_at: at })
    .where('organization_id', '=', organizationId)
    .execute();
}

/** The organization that environment variables are for: by ID or name, otherwise the first one. */
export async function findEnvironmentOrganization(
  db: Db,
  organization: string | undefined,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('organizations')
    .select('id')
    .$if(organization !== undefined, (query) =>
      query.where(sql<boolean>`(id::text = ${organization!} OR name = ${organization!})`),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}
