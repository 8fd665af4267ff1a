/** Queries on an organization's settings. */
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import type { Db } from '../../platform/db/index.ts';
import { ORGANIZATION_SETTINGS, SETTING_KEYS, type SettingConditions, type SettingKey } from './contract.ts';

/** The settings of a new organization; their ids never change. */
export async function insertSettings(db: Db, organizationId: string): Promise<void> {
  await db
    .insertInto('organization_switches')
    .values(
      SETTING_KEYS.map((key) => ({
        id: uuidv7(),
        organization_id: organizationId,
        key,
        enabled: ORGANIZATION_SETTINGS[key].default,
      })),
    )
    .execute();
}

/** The settings with their conditions, in no order. */
export async function selectSettings(db: Db, organizationId: string) {
  const rows = await db
    .selectFrom('organization_switches as s')
    .select(['s.id', 's.key', 's.enabled', 's.conditions'])
    .where('s.organization_id', '=', organizationId)
    .execute();
  return rows as SettingRow[];
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
export async function selectSettingsAndChanges(db: Db, organizationId: string) {
  const rows = await db
    .selectFrom('organization_switches as s')
    .leftJoin('users as u', 'u.id', 's.updated_by')
    .select(['s.id', 's.key', 's.enabled', 's.conditions', 's.updated_at', 's.updated_by'])
    .select('u.name as updated_by_name')
    .where('s.organization_id', '=', organizationId)
    .execute();
  return rows as (SettingRow &
    Pick<(typeof rows)[number], 'updated_at' | 'updated_by' | 'updated_by_name'>)[];
}

/** Whether a setting is on in this organization. */
export async function isSettingOn(db: Db, organizationId: string, key: SettingKey): Promise<boolean> {
  const row = await db
    .selectFrom('organization_switches')
    .select('enabled')
    .where('organization_id', '=', organizationId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return row.enabled;
}

/** Locks the setting, so that concurrent changes are recorded one after the other. */
export async function lockSetting(db: Db, organizationId: string, key: SettingKey): Promise<SettingRow> {
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
