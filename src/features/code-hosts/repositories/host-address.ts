/** How this node fetches a repository of a code host: where, and with which credential. */
import type { Db } from '../../../platform/db/index.ts';
import { type HostServices, openCodeHost } from '../connections/open-code-host.ts';
import { selectHostOfRepository } from './host-repository-store.ts';

/** Null when the repository is no longer connected. Throws a `HostError`. */
export async function hostAddressOf(
  services: HostServices & { db: Db },
  repositoryId: string,
  signal: AbortSignal,
) {
  const row = await selectHostOfRepository(services.db, repositoryId);
  if (!row) return null;
  const { credential, url } = await openCodeHost(services, row, signal).fetchAddress(row.full_name);
  return { url, credential: credential && { kind: 'password' as const, ...credential } };
}
