/** Explains to the doctor command why a key is accepted or rejected; requires the whole key. */
import type { CredentialCheck } from '../../platform/core/operations/credential-check.ts';
import { hashOf } from '../../platform/core/text/secret-token.ts';
import type { Db } from '../../platform/db/index.ts';
import { selectKeyState } from './api-key-store.ts';
import { isWellFormedKey } from './key-format.ts';

export async function explainKey(db: Db, secret: string): Promise<CredentialCheck> {
  if (!isWellFormedKey(secret)) return { accepted: false, fault: 'malformed' };
  const state = await selectKeyState(db, hashOf(secret));
  if (!state) return { accepted: false, fault: 'unknown' };
  // Deactivating a user revokes their keys too, so deactivation is the cause to report.
  if (state.deactivated) return { accepted: false, fault: 'deactivated' };
  if (state.revoked) return { accepted: false, fault: 'revoked' };
  const { organization, role, user } = state;
  return { accepted: true, user, organization, role };
}
