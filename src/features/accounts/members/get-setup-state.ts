/** GET /api/v2/setup: whether the service still needs to be set up. */
import { z } from 'zod';
import { definePublicOperation } from '../../../context.ts';
import { SetupState } from '../contract.ts';
import { anyOrganization } from '../store/account-store.ts';

export const getSetupState = definePublicOperation({
  name: 'get-setup-state',
  group: 'Accounts',
  summary: 'Check whether the service needs to be set up',
  http: { method: 'GET', path: '/api/v2/setup', status: 200 },
  input: z.object({}),
  output: SetupState,
  problems: [],
  async run({ db }) {
    return { needed: !(await anyOrganization(db)) };
  },
});
