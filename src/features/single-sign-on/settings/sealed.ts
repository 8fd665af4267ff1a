/** Encrypts the secrets of single sign-on: the client secret, refresh tokens, and those of sign-ins in progress. */

import type { OperationSettings } from '../../../context.ts';
import type { ProviderConnection } from '../../../engines/identity-provider/index.ts';
import type { SecretBox } from '../../../platform/core/ports/secret-box.ts';
import type { SettingsRow } from './settings-store.ts';

const clientSecretOf = (organizationId: string) => `single-sign-on-client-secret:${organizationId}`;
const refreshTokenOf = (organizationId: string) => `single-sign-on-refresh-token:${organizationId}`;
const signInOf = (organizationId: string) => `single-sign-on-sign-in:${organizationId}`;

export function sealClientSecret(secrets: SecretBox, organizationId: string, secret: string): Buffer {
  return secrets.seal(secret, clientSecretOf(organizationId));
}

export function openClientSecret(secrets: SecretBox, row: SettingsRow): string {
  return secrets.open(row.client_secret, clientSecretOf(row.organization_id));
}

export function sealRefreshToken(secrets: SecretBox, organizationId: string, token: string): Buffer {
  return secrets.seal(token, refreshTokenOf(organizationId));
}

export function openRefreshToken(secrets: SecretBox, organizationId: string, sealed: Buffer): string {
  return secrets.open(sealed, refreshTokenOf(organizationId));
}

/** Must match when the browser returns; includes the issuer, because the settings may change in the meantime. */
interface StartedSignIn {
  state: string;
  nonce: string;
  codeVerifier: string;
  issuer: string;
}

export function sealSignIn(secrets: SecretBox, organizationId: string, started: StartedSignIn): Buffer {
  return secrets.seal(JSON.stringify(started), signInOf(organizationId));
}

export function openSignIn(secrets: SecretBox, organizationId: string, sealed: Buffer): StartedSignIn {
  return JSON.parse(secrets.open(sealed, signInOf(organizationId))) as StartedSignIn;
}

/** The operator who set the issuer with environment variables may use any address. */
export function allowsPrivate(
  settings: Pick<OperationSettings, 'allowPrivateAddresses' | 'singleSignOn'>,
  issuer: string,
): boolean {
  return settings.allowPrivateAddresses || settings.singleSignOn?.issuer === issuer;
}

export function connectionOf(
  services: {
    secrets: SecretBox;
    settings: Pick<OperationSettings, 'allowPrivateAddresses' | 'singleSignOn'>;
  },
  row: SettingsRow,
): ProviderConnection {
  return {
    issuer: row.issuer,
    clientId: row.client_id,
    clientSecret: openClientSecret(services.secrets, row),
    allowPrivateAddresses: allowsPrivate(services.settings, row.issuer),
  };
}
