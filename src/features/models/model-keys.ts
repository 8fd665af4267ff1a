/** The keys of models, each encrypted for one organization and use. */
import type { SecretBox } from '../../platform/core/ports/secret-box.ts';

export type ModelUse = 'finding' | 'second_look';

const purposeOf = (organizationId: string, use: ModelUse) => `model-key:${use}:${organizationId}`;

export function sealModelKey(secrets: SecretBox, organizationId: string, use: ModelUse, key: string): Buffer {
  return secrets.seal(key, purposeOf(organizationId, use));
}

export function openModelKey(
  secrets: SecretBox,
  organizationId: string,
  use: ModelUse,
  sealed: Buffer | null,
): string | null {
  return sealed === null ? null : secrets.open(sealed, purposeOf(organizationId, use));
}
