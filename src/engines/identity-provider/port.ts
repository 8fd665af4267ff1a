/** The interface to an identity provider (OpenID Connect). */

export interface ProviderConnection {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Providers on this machine or a private network, and providers without TLS, are allowed. */
  allowPrivateAddresses: boolean;
}

/** Belong to one sign-in, and must match when the browser returns. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** The parameters that the provider sent the browser back with. */
export interface ReturnedParameters {
  state: string;
  code?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
}

export type Claims = Record<string, unknown>;

export interface SignedInPerson {
  issuer: string;
  subject: string;
  claims: Claims;
  refreshToken: string | null;
  /** The provider's own session. */
  providerSession: string | null;
}

export interface RefreshedPerson {
  /** The new refresh token, where the provider replaces it. */
  refreshToken: string | null;
  /** Claims that the provider sent along, if any. */
  claims: Claims;
}

export interface LogoutToken {
  id: string;
  subject: string | null;
  providerSession: string | null;
  expiresAt: Date;
}

export interface ProviderCheck {
  name: string;
  ok: boolean;
  detail: string;
}

/** All of them throw a `ProviderError`. */
export interface IdentityProviders {
  /** The page of the provider where the person signs in. */
  signInUrl(connection: ProviderConnection, redirectUri: string, secrets: SignInSecrets): Promise<string>;
  finishSignIn(
    connection: ProviderConnection,
    redirectUri: string,
    secrets: SignInSecrets,
    returned: ReturnedParameters,
  ): Promise<SignedInPerson>;
  /** `refused` when the provider definitely no longer accepts the person. */
  refresh(connection: ProviderConnection, refreshToken: string, subject: string): Promise<RefreshedPerson>;
  readLogoutToken(connection: ProviderConnection, token: string, now: Date): Promise<LogoutToken>;
  /** Tries everything that can be tried without a person; never throws. */
  check(connection: ProviderConnection, redirectUri: string): Promise<ProviderCheck[]>;
}
