/** Background work of single sign-on. */
import type { EnvironmentSingleSignOn } from '../../engines/identity-provider/contract.ts';
import type { IdentityProviders } from '../../engines/identity-provider/index.ts';
import type { SecretBox } from '../../platform/core/ports/secret-box.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/core/text/durations.ts';
import type { TimedJob } from '../../platform/queue/index.ts';
import { recheckIdentities } from './identities/recheck-identities.ts';
import { applyEnvironment } from './settings/apply-environment.ts';
import { deleteOldSignIns } from './signing-in/redirect-store.ts';

interface Services {
  log: Log;
  secrets: SecretBox;
  identityProviders: IdentityProviders;
  allowPrivateAddresses: boolean;
  /** Single sign-on set by environment variables. */
  singleSignOn?: EnvironmentSingleSignOn | undefined;
}

export const singleSignOnJobs: TimedJob<Services>[] = [
  { name: 'delete-old-single-sign-ons', everyMs: HOUR_MS, run: deleteOldSignIns },
  {
    name: 'recheck-single-sign-on',
    everyMs: MINUTE_MS,
    run: (db, now, { allowPrivateAddresses, singleSignOn, ...services }) =>
      recheckIdentities({ ...services, db, settings: { allowPrivateAddresses, singleSignOn } }, now),
  },
  {
    name: 'apply-single-sign-on-settings',
    everyMs: MINUTE_MS,
    run: async (db, now, { secrets, singleSignOn }) =>
      singleSignOn && applyEnvironment({ db, secrets }, singleSignOn, now),
  },
];
