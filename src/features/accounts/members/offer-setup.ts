/** Creates the setup link that the service prints until it has been set up. */
import { hashOf, newToken } from '../../../platform/core/text/secret-token.ts';
import type { Db } from '../../../platform/db/index.ts';
import { anyOrganization, insertSetupLink } from '../store/account-store.ts';

/** A new setup link, or undefined once the service has been set up. */
export async function offerSetup(db: Db, baseUrl: string, at: Date): Promise<string | undefined> {
  if (await anyOrganization(db)) return undefined;
  const token = newToken();
  await insertSetupLink(db, hashOf(token), at);
  return `${baseUrl}/setup#token=${token}`;
}
