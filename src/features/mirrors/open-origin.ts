/** Where a repository is fetched from and pushed to, checked just before each use, with its credential. */
import { checkRemoteAddress, type RemoteAddress, type RemoteCredential } from '../../engines/git/index.ts';
import type { SecretBox } from '../../platform/core/ports/secret-box.ts';
import type { Db } from '../../platform/db/index.ts';
import { type Credential, openCredential, selectOrigin } from '../repositories/index.ts';

/** Null when the repository is no longer connected to a code host. Throws a `HostError`. */
export type HostAddressOf = (
  repositoryId: string,
  signal: AbortSignal,
) => Promise<{ url: string; credential: Credential | null } | null>;

export interface OriginServices {
  db: Db;
  secrets: SecretBox;
  settings: { dataDir: string; allowLocalRepositories: boolean; allowPrivateAddresses: boolean };
  /** Where repositories of code hosts are fetched, with a credential that can be short-lived. */
  hostAddress?: HostAddressOf | undefined;
}

/** The repository was removed, or no longer has a URL. */
export class RepositoryGone extends Error {
  constructor() {
    super('The repository no longer exists.');
    this.name = 'RepositoryGone';
  }
}

export async function openOrigin(
  { db, hostAddress, secrets, settings }: OriginServices,
  repositoryId: string,
  signal: AbortSignal,
): Promise<{
  remote: RemoteAddress;
  credential: RemoteCredential | null;
  origin: NonNullable<Awaited<ReturnType<typeof selectOrigin>>> & { url: string };
}> {
  const origin = await selectOrigin(db, repositoryId);
  if (!origin?.url) throw new RepositoryGone();
  const atHost = origin.host_kind === null ? null : await hostAddress?.(repositoryId, signal);
  // Checked each time: the name may resolve to another address now.
  const remote = await checkRemoteAddress(atHost?.url ?? origin.url, {
    allowLocal: settings.allowLocalRepositories || origin.added_by_operator,
    allowPrivateAddresses: settings.allowPrivateAddresses || origin.added_by_operator,
    ownFolder: settings.dataDir,
  });
  const credential = atHost?.credential ?? openCredential(secrets, repositoryId, origin.credential);
  return { remote, credential, origin: { ...origin, url: origin.url } };
}
