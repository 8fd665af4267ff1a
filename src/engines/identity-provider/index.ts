/** The public interface of identity providers: the port, its error, and the factory. */
export { createIdentityProviders } from './create-identity-providers.ts';
export type * from './port.ts';
export { ProviderError } from './provider-error.ts';
