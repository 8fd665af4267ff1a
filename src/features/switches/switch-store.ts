/** Queries on an organization's settings. */
import { uuidv7 } from '../../platform/core/uuid.ts';
import type { Db } from '../../platform/db/index.ts';
import { SWITCHES, type SwitchKey } from './contract.ts';

export function selectSwitches(db: Db, organizationId: string) {
  return db
    .selectFrom('organization_switches')
    .select(['key', 'enabled', 'updated_at'])
    .where('organization_id', '=', organizationId)
    .execute();
}

/** Whether a setting is on in this organization. */
export async function isSwitchedOn(db: Db, organizationId: string, key: SwitchKey): Promise<boolean> {
  const row = await db
    .selectFrom('organization_switches')
    .select('enabled')
    .where('organization_id', '=', organizationId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.enabled ?? SWITCHES[key].default;
}

export async function setSwitch(
  db: Db,
  change: { organizationId: string; key: SwitchKey; enabled: boolean; userId: string; at: Date },
): Promise<void> {
  const values = { enabled: change.enabled, updated_by: change.userId, updated_at: change.at };
  await db
    .insertInto('organization_switches')
    .values({ id: uuidv7(), organization_id: change.organizationId, key: change.key, ...values })
    .onConflict((conflict) => conflict.columns(['organization_id', 'key']).doUpdateSet(values))
    .execute();
}
