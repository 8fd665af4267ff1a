/** GET /api/v2/organization/switches: the organization's settings. */
import { defineOperation } from '../../context.ts';
import { ListSwitchesInput, OrganizationSwitches } from './contract.ts';
import { readSettings } from './read-settings.ts';

export const listSwitches = defineOperation({
  name: 'list-switches',
  group: 'Organization',
  summary: "List the organization's settings",
  http: { method: 'GET', path: '/api/v2/organization/switches', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListSwitchesInput,
  output: OrganizationSwitches,
  problems: [],
  run: (context) => readSettings(context),
});
