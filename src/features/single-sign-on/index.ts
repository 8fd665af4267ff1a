/** The public interface of single sign-on. */
export type { EnvironmentSingleSignOn } from '../../engines/identity-provider/contract.ts';
export { createIdentityProviders } from '../../engines/identity-provider/index.ts';
export { recheckIdentities } from './identities/recheck-identities.ts';
export { applyEnvironment } from './settings/apply-environment.ts';
export { switchSingleSignOn } from './settings/switch-off.ts';
export { deleteOldSignIns } from './signing-in/redirect-store.ts';
