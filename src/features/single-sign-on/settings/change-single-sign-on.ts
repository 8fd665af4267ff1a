/** PUT /api/v2/single-sign-on: changes the settings of the organization's provider. */
import { defineOperation } from '../../../context.ts';
import { invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';
import { selectSessionIssuer } from '../../accounts/index.ts';
import { callerOf } from '../../audit/index.ts';
import { ChangeSingleSignOnInput, SingleSignOnView } from '../contract.ts';
import { isSetByEnvironment, presentSettings } from './get-single-sign-on.ts';
import { saveSettings } from './save-settings.ts';

export const changeSingleSignOn = defineOperation({
  name: 'change-single-sign-on',
  group: 'Single sign-on',
  summary: 'Change the single sign-on settings',
  description:
    'The client secret is never returned. A new issuer needs its secret again. To switch password sign-in off, you must be signed in with single sign-on yourself; all sessions that were started with a password end then.',
  http: { method: 'PUT', path: '/api/v2/single-sign-on', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ChangeSingleSignOnInput,
  output: SingleSignOnView,
  problems: ['conflict'],
  async run(context, input) {
    const { actor, db } = context;
    if (await isSetByEnvironment(context)) {
      throw new Problem('conflict', 'These settings are set by environment variables. Change them there.');
    }
    const { clientSecret, ...settings } = input;
    await saveSettings(
      context,
      { ...settings, ...(clientSecret !== undefined && { clientSecret }) },
      callerOf(context),
      async (before, transaction) => {
        // Otherwise an admin could have the stored secret sent to an address of their own.
        if (clientSecret === undefined && before?.issuer !== input.issuer) {
          throw invalidRequest([{ path: 'clientSecret', message: 'is required for a new issuer' }]);
        }
        const switchesOff = input.enabled && !input.passwordSignIn;
        const wasOff = before?.enabled && !before.password_sign_in && before.issuer === input.issuer;
        const isProven = async () =>
          (await selectSessionIssuer(transaction, actor.credentialId)) === input.issuer;
        if (switchesOff && !wasOff && !(await isProven())) {
          throw new Problem(
            'conflict',
            'Before you switch password sign-in off, sign in at this provider yourself, so that you can’t lock yourself out.',
          );
        }
      },
    );
    return presentSettings(context, db);
  },
});
