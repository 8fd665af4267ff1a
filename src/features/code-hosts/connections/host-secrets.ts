/** The credential and the webhook secret of a code host, each encrypted for that host only. */
import type { GitHubCredential } from '../../../engines/code-hosts/index.ts';
import type { SecretBox } from '../../../platform/core/ports/secret-box.ts';

/** A token, or a GitHub App. */
export type HostCredential = GitHubCredential;

const credentialOf = (codeHostId: string) => `code-host-credential:${codeHostId}`;
const webhookSecretOf = (codeHostId: string) => `code-host-webhook-secret:${codeHostId}`;
const signInSecretOf = (codeHostId: string) => `code-host-sign-in-secret:${codeHostId}`;

/** The purpose that the verifier of a sign-in is encrypted for. */
export const codeVerifierOf = (codeHostId: string) => `code-host-sign-in:${codeHostId}`;

/** The columns for a credential. */
export function sealHostCredential(secrets: SecretBox, codeHostId: string, credential: HostCredential) {
  return {
    credential_kind: credential.kind,
    credential: secrets.seal(JSON.stringify(credential), credentialOf(codeHostId)),
  };
}

export function openHostCredential(secrets: SecretBox, codeHostId: string, sealed: Buffer): HostCredential {
  return JSON.parse(secrets.open(sealed, credentialOf(codeHostId))) as HostCredential;
}

export function sealHostWebhookSecret(secrets: SecretBox, codeHostId: string, secret: string): Buffer {
  return secrets.seal(secret, webhookSecretOf(codeHostId));
}

export function openHostWebhookSecret(secrets: SecretBox, codeHostId: string, sealed: Buffer): string {
  return secrets.open(sealed, webhookSecretOf(codeHostId));
}

export function sealSignInSecret(secrets: SecretBox, codeHostId: string, secret: string): Buffer {
  return secrets.seal(secret, signInSecretOf(codeHostId));
}

export function openSignInSecret(secrets: SecretBox, codeHostId: string, sealed: Buffer): string {
  return secrets.open(sealed, signInSecretOf(codeHostId));
}
