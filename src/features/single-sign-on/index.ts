/** The public interface of single sign-on. */
export { createIdentityProviders } from '../../engines/identity-provider/index.ts';
export { applyEnvironment } from './apply-environment.ts';
export { recheckIdentities } from './recheck-identities.ts';
export { deleteOldSignIns } from './redirect-store.ts';
export { switchSingleSignOn } from './switch-off.ts';
