/** The URL that a code host calls after a push; a token in it authenticates the caller. */
import { timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../../platform/core/ports/secret-box.ts';
import { hashOf } from '../../platform/core/text/secret-token.ts';

const purposeOf = (repositoryId: string) => `repository-push-token:${repositoryId}`;

export function sealPushToken(secrets: SecretBox, repositoryId: string, token: string): Buffer {
  return secrets.seal(token, purposeOf(repositoryId));
}

export function openPushToken(secrets: SecretBox, repositoryId: string, sealed: Buffer): string {
  return secrets.open(sealed, purposeOf(repositoryId));
}

/** Compares in constant time. */
export function isSameToken(one: string, other: string): boolean {
  return timingSafeEqual(hashOf(one), hashOf(other));
}

export function pushUrlOf(baseUrl: string, repositoryId: string, token: string): string {
  return `${baseUrl}/api/v2/repositories/${repositoryId}/pushes/${token}`;
}
