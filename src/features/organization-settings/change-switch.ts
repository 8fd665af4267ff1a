/** PATCH /api/v2/organization/switches/:key: turns a setting on or off, or changes its conditions. */
import { isDeepStrictEqual } from 'node:util';
import { type Context, defineOperation } from '../../context.ts';
import { invalidRequest } from '../../platform/core/errors/errors.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { selectRepositoriesById } from '../repositories/index.ts';
import {
  ChangeSwitchInput,
  ORGANIZATION_SETTINGS,
  OrganizationSwitches,
  type SettingConditions,
  type SettingKey,
  type SettingStateValue,
} from './contract.ts';
import { nameRepositories } from './present-setting.ts';
import { namesIn, readSettings } from './read-settings.ts';
import { insertSettingChange } from './setting-change-store.ts';
import { lockSetting, updateSetting } from './setting-store.ts';

export const changeSwitch = defineOperation({
  name: 'change-switch',
  group: 'Organization',
  summary: 'Change an organization setting',
  description: 'Returns all settings after the change. Only settings about reviews take conditions.',
  http: { method: 'PATCH', path: '/api/v2/organization/switches/:key', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ChangeSwitchInput,
  output: OrganizationSwitches,
  problems: [],
  async run(context, { conditions, enabled, key }) {
    const wanted = conditions && (await acceptConditions(context, key, conditions));
    await inTransaction(context.db, (db) => change({ ...context, db }, key, { enabled, conditions: wanted }));
    return readSettings(context);
  },
});

async function change(
  context: Context,
  key: SettingKey,
  wanted: { enabled: boolean | undefined; conditions: SettingConditions | undefined },
): Promise<void> {
  const { actor, clock, db } = context;
  const { organizationId, userId } = actor;
  const before = await lockSetting(db, organizationId, key);
  const { conditions = before.conditions, enabled = before.enabled } = wanted;
  const isConditionsChanged = !isDeepStrictEqual(conditions, before.conditions);
  if (enabled === before.enabled && !isConditionsChanged) return;
  const at = clock.now();
  await updateSetting(db, { organizationId, key, enabled, conditions, userId, at });
  const names = await namesIn(db, actor, [before, { conditions }]);
  const after: SettingStateValue = { enabled, conditions: nameRepositories(conditions, names) };
  await insertSettingChange(db, {
    organizationId,
    subjectId: before.id,
    userId,
    before: { enabled: before.enabled, conditions: nameRepositories(before.conditions, names) },
    after,
    at,
  });
  await recordAudit(db, callerOf(context), {
    action: 'switch.moved',
    subjectId: before.id,
    subjectName: key,
    detail: { enabled, ...(isConditionsChanged && { conditions: after.conditions }) },
  });
}

/** Without empty lists and repetitions; refuses conditions on other settings and repositories that don't exist. */
async function acceptConditions(
  { actor, db }: Context,
  key: SettingKey,
  sent: SettingConditions,
): Promise<SettingConditions> {
  const conditions: SettingConditions = {
    ...listOf('repositories', sent.repositories),
    ...listOf('authors', sent.authors),
    ...listOf('excludedPaths', sent.excludedPaths),
    ...(sent.maxLines !== undefined && { maxLines: sent.maxLines }),
    ...(sent.maxFiles !== undefined && { maxFiles: sent.maxFiles }),
  };
  if (Object.keys(conditions).length > 0 && !ORGANIZATION_SETTINGS[key].takesConditions) {
    throw invalidRequest([
      { path: 'conditions', message: 'must be empty: this setting takes no conditions' },
    ]);
  }
  const { repositories = [] } = conditions;
  const known = new Set((await selectRepositoriesById(db, actor, repositories)).map(({ id }) => id));
  const unknown = (sent.repositories ?? []).flatMap((id, index) =>
    known.has(id)
      ? []
      : [{ path: `conditions.repositories[${index}]`, message: 'is not a known repository' }],
  );
  if (unknown.length > 0) throw invalidRequest(unknown);
  return conditions;
}

function listOf(name: 'repositories' | 'authors' | 'excludedPaths', sent: string[] = []): SettingConditions {
  return sent.length === 0 ? {} : { [name]: [...new Set(sent)] };
}
