/** The public interface of single sign-on. */
export type { EnvironmentSingleSignOn } from '../../engines/identity-provider/contract.ts';
export { createIdentityProviders } from '../../engines/identity-provider/index.ts';
export { switchSingleSignOn } from './settings/switch-off.ts';
