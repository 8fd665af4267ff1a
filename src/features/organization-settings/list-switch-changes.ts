/** GET /api/v2/organization/switches/:key/changes: who changed a setting, when and how. */
import { defineOperation } from '../../context.ts';
import { cutPage, DEFAULT_LIMIT, readTimeCursor, timeCursorOf } from '../../platform/core/operations/page.ts';
import { ListSwitchChangesInput, type SettingStateValue, SwitchChangePage } from './contract.ts';
import { presentChange } from './present-setting.ts';
import { selectSettingChanges } from './setting-change-store.ts';
import { selectSettings } from './setting-store.ts';

export const listSwitchChanges = defineOperation({
  name: 'list-switch-changes',
  group: 'Organization',
  summary: 'List the changes of a setting',
  http: { method: 'GET', path: '/api/v2/organization/switches/:key/changes', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ListSwitchChangesInput,
  output: SwitchChangePage,
  problems: [],
  async run({ actor, db }, { cursor, key, limit = DEFAULT_LIMIT }) {
    const before = readTimeCursor(cursor);
    const { id } = (await selectSettings(db, actor.organizationId)).find((row) => row.key === key)!;
    const rows = await selectSettingChanges(db, actor.organizationId, id, { before, limit: limit + 1 });
    const { nextCursor, page } = cutPage(rows, limit, (row) => timeCursorOf(row.created_at, row.id));
    return { changes: page.map((row) => presentChange<SettingStateValue>(row)), nextCursor };
  },
});
