/** GET /api/v2/organization/switches: what is switched on in the organization. */
import { type Context, defineOperation } from '../../context.ts';
import { ListSwitchesInput, OrganizationSwitches, SWITCH_KEYS, SWITCHES } from './contract.ts';
import { selectSwitches } from './switch-store.ts';

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
