/** The organization's switches as the caller sees them, with the names of the repositories in their conditions. */
import type { Context } from '../../context.ts';
import { type Reader, selectRepositoriesById } from '../repositories/index.ts';
import { SWITCH_KEYS, type SwitchConditions } from './contract.ts';
import { type NamesById, presentSwitch } from './present-switch.ts';
import { selectSwitchesAndChanges } from './switch-store.ts';

export async function readSwitches({ actor, db }: Pick<Context, 'actor' | 'db'>) {
  const rows = await selectSwitchesAndChanges(db, actor.organizationId);
  const names = await namesIn(db, actor, rows);
  const shown = new Map(rows.map((row) => [row.key, presentSwitch(row, names)]));
  return { switches: SWITCH_KEYS.map((key) => shown.get(key)!) };
}

/** Most organizations have no such condition, and then nothing is read. */
export async function namesIn(
  db: Context['db'],
  reader: Reader,
  rows: { conditions: SwitchConditions }[],
): Promise<NamesById> {
  const ids = rows.flatMap(({ conditions }) => conditions.repositories ?? []);
  if (ids.length === 0) return new Map();
  const found = await selectRepositoriesById(db, reader, [...new Set(ids)]);
  return new Map(found.map(({ id, name }) => [id, name]));
}
