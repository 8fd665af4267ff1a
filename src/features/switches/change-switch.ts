/** PATCH /api/v2/organization/switches/:key: changes one setting. */

import { defineOperation } from '../../context.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { ChangeSwitchInput, OrganizationSwitches } from './contract.ts';
import { readSwitches } from './read-switches.ts';
import { isSwitchedOn, setSwitch } from './switch-store.ts';

export const changeSwitch = defineOperation({
  name: 'change-switch',
  group: 'Organization',
  summary: 'Change an organization setting',
  description: 'Returns all settings after the change.',
  http: { method: 'PATCH', path: '/api/v2/organization/switches/:key', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ChangeSwitchInput,
  output: OrganizationSwitches,
  problems: [],
  async run(context, { enabled, key }) {
    const { actor, clock, db } = context;
    const { organizationId, userId } = actor;
    await inTransaction(db, async (transaction) => {
      if (enabled === undefined) return;
      if ((await isSwitchedOn(transaction, organizationId, key)) === enabled) return;
      await setSwitch(transaction, { organizationId, key, enabled, userId, at: clock.now() });
      await recordAudit(transaction, callerOf(context), {
        action: 'switch.moved',
        subjectName: key,
        detail: { enabled },
      });
    });
    return readSwitches(context);
  },
});
