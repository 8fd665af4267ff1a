/** Credentials for fetching, each encrypted for one repository. */
import type { z } from 'zod';
import type { SecretBox } from '../../platform/core/ports/secret-box.ts';
import type { Credential as CredentialShape } from './contract.ts';

export type Credential = z.output<typeof CredentialShape>;

const purposeOf = (repositoryId: string) => `repository-credential:${repositoryId}`;

/** The columns for a credential; null without one. */
export function sealCredential(secrets: SecretBox, repositoryId: string, credential: Credential | null) {
  if (credential === null) return { credential_kind: 'none' as const, credential: null };
  return {
    credential_kind: credential.kind,
    credential: secrets.seal(JSON.stringify(credential), purposeOf(repositoryId)),
  };
}

export function openCredential(
  secrets: SecretBox,
  repositoryId: string,
  sealed: Buffer | null,
): Credential | null {
  return sealed === null ? null : (JSON.parse(secrets.open(sealed, purposeOf(repositoryId))) as Credential);
}
