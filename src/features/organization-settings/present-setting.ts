/** Turns rows of settings into their API shapes. */
import type { z } from 'zod';
import type { ExcludedPaths, OrganizationSwitch, ReviewerConfig, SettingConditions } from './contract.ts';
import { ORGANIZATION_SETTINGS } from './contract.ts';
import type { selectExcludedConfig, selectExcludedPaths } from './excluded-path-store.ts';
import type { SettingChangeRow } from './setting-change-store.ts';
import type { SettingRow, selectSettingsAndChanges } from './setting-store.ts';

/** The names of the repositories in conditions, as far as the caller sees them. */
export type NamesById = ReadonlyMap<string, string>;

export function presentSetting(
  row: Awaited<ReturnType<typeof selectSettingsAndChanges>>[number],
  names: NamesById,
): z.input<typeof OrganizationSwitch> {
  const { meaning, takesConditions } = ORGANIZATION_SETTINGS[row.key];
  const { repositories, ...conditions } = row.conditions;
  return {
    key: row.key,
    configurationId: row.id,
    enabled: row.enabled,
    meaning,
    takesConditions,
    conditions: { ...(repositories && { repositories: known(repositories, names) }), ...conditions },
    updatedAt: row.updated_at?.toISOString() ?? null,
    updatedBy: row.updated_by === null ? null : { id: row.updated_by, name: row.updated_by_name! },
  };
}

/** Conditions with the names of repositories instead of ids. */
export function nameRepositories({ repositories, ...conditions }: SettingConditions, names: NamesById) {
  return {
    ...(repositories && { repositories: known(repositories, names).map(({ name }) => name) }),
    ...conditions,
  };
}

function known(ids: string[], names: NamesById): { id: string; name: string }[] {
  return ids
    .flatMap((id) => (names.has(id) ? [{ id, name: names.get(id)! }] : []))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

export function presentConfig(
  settings: SettingRow[],
  names: NamesById,
  excluded: Awaited<ReturnType<typeof selectExcludedConfig>>,
): z.input<typeof ReviewerConfig> {
  return {
    excludedConfig: excluded.map(({ id, name, paths }) => ({ repoName: name, paths, repoId: id })),
    orgConfig: settings
      .map(({ conditions, enabled, id, key }) => ({
        key,
        configurationId: id,
        enabled,
        configurationMetadata: nameRepositories(conditions, names),
      }))
      .sort((one, other) => (one.key < other.key ? -1 : 1)),
  };
}

export function presentExcludedPaths(
  row: Awaited<ReturnType<typeof selectExcludedPaths>>[number],
): z.input<typeof ExcludedPaths> {
  return {
    repositoryId: row.id,
    repositoryName: row.name,
    paths: row.paths,
    updatedAt: row.updated_at.toISOString(),
    updatedBy: { id: row.updated_by, name: row.updated_by_name ?? '' },
  };
}

export function presentChange<State>(row: SettingChangeRow) {
  return {
    id: row.id,
    changedAt: row.created_at.toISOString(),
    changedBy: { id: row.changed_by, name: row.changed_by_name },
    before: row.before as State,
    after: row.after as State,
  };
}
