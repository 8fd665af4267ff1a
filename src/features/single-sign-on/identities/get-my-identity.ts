/** GET /api/v2/single-sign-on/me: how your account is linked to single sign-on. */
import { z } from 'zod';
import { defineOperation } from '../../../context.ts';
import { MyIdentity } from '../contract.ts';
import { isOn, selectSettings } from '../settings/settings-store.ts';
import { selectIdentityOf } from './identity-store.ts';
import { presentIdentity } from './present-identity.ts';

export const getMyIdentity = defineOperation({
  name: 'get-my-identity',
  group: 'Single sign-on',
  summary: 'Get your linked account at the provider',
  http: { method: 'GET', path: '/api/v2/single-sign-on/me', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: z.object({}),
  output: MyIdentity,
  problems: [],
  async run({ actor, db }) {
    const row = await selectSettings(db, actor.organizationId);
    const on = row !== undefined && isOn(row);
    return {
      provider: on ? row.name : null,
      passwordSignIn: !on || row.password_sign_in,
      identity: presentIdentity(await selectIdentityOf(db, actor)),
    };
  },
});
