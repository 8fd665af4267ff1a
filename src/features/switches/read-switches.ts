/** The organization's switches with their defaults filled in. */
import type { Context } from '../../context.ts';
import { SWITCH_KEYS, SWITCHES } from './contract.ts';
import { selectSwitches } from './switch-store.ts';

export async function readSwitches({ actor, db }: Context) {
  const moved = new Map(
    (await selectSwitches(db, actor.organizationId)).map((row) => [row.key, row] as const),
  );
  return {
    switches: SWITCH_KEYS.map((key) => ({
      key,
      enabled: moved.get(key)?.enabled ?? SWITCHES[key].default,
      meaning: SWITCHES[key].meaning,
      updatedAt: moved.get(key)?.updated_at.toISOString() ?? null,
    })),
  };
}
