/** GET /api/v2/organization/switches: what is switched on in the organization. */
import { defineOperation } from '../../context.ts';
import { ListSwitchesInput, OrganizationSwitches } from './contract.ts';
import { readSwitches } from './read-switches.ts';

export const listSwitches = defineOperation({
  name: 'list-switches',
  group: 'Organization',
  summary: "List the organization's switches",
  http: { method: 'GET', path: '/api/v2/organization/switches', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListSwitchesInput,
  output: OrganizationSwitches,
  problems: [],
  run: (context) => readSwitches(context),
});
