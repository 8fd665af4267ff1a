/** The organization's settings as the caller sees them, with the names of the repositories in their conditions. */
import type { Context } from '../../context.ts';
import { type Reader, selectRepositoriesById } from '../repositories/index.ts';
import { SETTING_KEYS, type SettingConditions } from './contract.ts';
import { type NamesById, presentSetting } from './present-setting.ts';
import { selectSettingsAndChanges } from './setting-store.ts';

export async function readSettings({ actor, db }: Pick<Context, 'actor' | 'db'>) {
  const rows = await selectSettingsAndChanges(db, actor.organizationId);
  const names = await namesIn(db, actor, rows);
  const shown = new Map(rows.map((row) => [row.key, presentSetting(row, names)]));
  return { switches: SETTING_KEYS.map((key) => shown.get(key)!) };
}

/** Most organizations have no such condition, and then nothing is read. */
export async function namesIn(
  db: Context['db'],
  reader: Reader,
  rows: { conditions: SettingConditions }[],
): Promise<NamesById> {
  const ids = rows.flatMap(({ conditions }) => conditions.repositories ?? []);
  if (ids.length === 0) return new Map();
  const found = await selectRepositoriesById(db, reader, [...new Set(ids)]);
  return new Map(found.map(({ id, name }) => [id, name]));
}
