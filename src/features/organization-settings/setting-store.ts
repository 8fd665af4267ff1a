/** Queries on an organization's settings. */
import { sql } from 'kysely';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import type { Db } from '../../platform/db/index.ts';
import { ORGANIZATION_SETTINGS, SETTING_KEYS, type SettingConditions, type SettingKey } from './contract.ts';

/** Adds the settings that an organization lacks; their ids never change. */
export async function insertSettings(db: Db, organizationId: string): Promise<void> {
  const ids = SETTING_KEYS.map(() => uuidv7());
  const enabled = SETTING_KEYS.map((key) => ORGANIZATION_SETTINGS[key].default);
  await sql`INSERT INTO organization_switches (id, organization_id, key, enabled)
    SELECT s.id, o.id, s.key, s.enabled
    FROM organizations o, unnest(${ids}::uuid[], ${SETTING_KEYS}::text[], ${enabled}::boolean[]) s (id, key, enabled)
    WHERE o.id = ${organizationId}
    ON CONFLICT DO NOTHING`.execute(db);
}

/**
 * While versions run side by side, an organization can have settings of a newer one, which are left out, and lack some of this
 * one, which are added. So a new setting needs no migration.
 */
async function ofThisVersion<Row extends { key: string }>(
  db: Db,
  organizationId: string,
  read: () => Promise<Row[]>,
): Promise<(Row & { key: SettingKey; conditions: SettingConditions })[]> {
  const known = async () => (await read()).filter(({ key }) => Object.hasOwn(ORGANIZATION_SETTINGS, key));
  let rows = await known();
  if (rows.length < SETTING_KEYS.length) {
    await insertSettings(db, organizationId);
    rows = await known();
  }
  return rows as (Row & { key: SettingKey; conditions: SettingConditions })[];
}

/** The settings with their conditions, in no order. */
export function selectSettings(db: Db, organizationId: string): Promise<SettingRow[]> {
  return ofThisVersion(db, organizationId, () =>
    db
      .selectFrom('organization_switches as s')
      .select(['s.id', 's.key', 's.enabled', 's.conditions'])
      .where('s.organization_id', '=', organizationId)
      .execute(),
  );
}

/** All settings by their keys. */
export async function selectSettingStates(
  db: Db,
  organizationId: string,
): Promise<Record<SettingKey, SettingRow>> {
  const rows = await selectSettings(db, organizationId);
  return Object.fromEntries(rows.map((row) => [row.key, row])) as Record<SettingKey, SettingRow>;
}

export interface SettingRow {
  id: string;
  key: SettingKey;
  enabled: boolean;
  conditions: SettingConditions;
}

/** The same with who changed each of them last. */
export function selectSettingsAndChanges(db: Db, organizationId: string) {
  return ofThisVersion(db, organizationId, () =>
    db
      .selectFrom('organization_switches as s')
      .leftJoin('users as u', 'u.id', 's.updated_by')
      .select(['s.id', 's.key', 's.enabled', 's.conditions', 's.updated_at', 's.updated_by'])
      .select('u.name as updated_by_name')
      .where('s.organization_id', '=', organizationId)
      .execute(),
  );
}

/** Whether a setting is on in this organization. */
export async function isSettingOn(db: Db, organizationId: string, key: SettingKey): Promise<boolean> {
  const row = await db
    .selectFrom('organization_switches')
    .select('enabled')
    .where('organization_id', '=', organizationId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.enabled ?? ORGANIZATION_SETTINGS[key].default;
}

/** Locks the setting, so that concurrent changes are recorded one after the other. */
export async function lockSetting(db: Db, organizationId: string, key: SettingKey): Promise<SettingRow> {
  await insertSettings(db, organizationId);
  const row = await db
    .selectFrom('organization_switches')
    .select(['id', 'key', 'enabled', 'conditions'])
    .where('organization_id', '=', organizationId)
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row as SettingRow;
}

export async function updateSetting(
  db: Db,
  change: {
    organizationId: string;
    key: SettingKey;
    enabled: boolean;
    conditions: SettingConditions;
    userId: string;
    at: Date;
  },
): Promise<void> {
  await db
    .updateTable('organization_switches')
    .set({
      enabled: change.enabled,
      conditions: JSON.stringify(change.conditions),
      updated_by: change.userId,
      updated_at: change.at,
    })
    .where('organization_id', '=', change.organizationId)
    .where('key', '=', change.key)
    .execute();
}
