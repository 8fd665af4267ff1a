/** The setup link that a service prints while nobody has signed up. */
import { hashOf, newToken } from '../../platform/core/secret-token.ts';
import type { Db } from '../../platform/db/index.ts';
import { anyOrganization, insertSetupLink } from './account-store.ts';

/** A new setup link while nobody has signed up; undefined afterwards. */
export async function offerSetup(db: Db, baseUrl: string, at: Date): Promise<string | undefined> {
  if (await anyOrganization(db)) return undefined;
  const token = newToken();
  await insertSetupLink(db, hashOf(token), at);
  return `${baseUrl}/setup#token=${token}`;
}
