/** GET /api/v2/single-sign-on: the settings of the organization's provider, without its secret. */
import { z } from 'zod';
import { type Context, defineOperation } from '../../../context.ts';
import type { Db } from '../../../platform/db/index.ts';
import { SingleSignOnView } from '../contract.ts';
import { logoutUrl, redirectUrl } from './addresses.ts';
import { settingsOf } from './save-settings.ts';
import { findEnvironmentOrganization, selectSettings } from './settings-store.ts';

export const getSingleSignOn = defineOperation({
  name: 'get-single-sign-on',
  group: 'Single sign-on',
  summary: 'Get the single sign-on settings',
  http: { method: 'GET', path: '/api/v2/single-sign-on', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: z.object({}),
  output: SingleSignOnView,
  problems: [],
  async run(context) {
    return presentSettings(context, context.db);
  },
});

export async function presentSettings(context: Context, db: Db) {
  const { organizationId } = context.actor;
  const row = await selectSettings(db, organizationId);
  return {
    settings: row ? settingsOf(row) : null,
    setBy: (await isSetByEnvironment(context)) ? ('environment' as const) : ('page' as const),
    switchedOffAt: row?.switched_off_at?.toISOString() ?? null,
    redirectUrl: redirectUrl(context.baseUrl),
    logoutUrl: logoutUrl(context.baseUrl, organizationId),
  };
}

export async function isSetByEnvironment({ actor, db, settings }: Context): Promise<boolean> {
  if (!settings.singleSignOn) return false;
  const id = await findEnvironmentOrganization(db, settings.singleSignOn.organization);
  return id === actor.organizationId;
}
