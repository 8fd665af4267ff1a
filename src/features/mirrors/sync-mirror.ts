/** Creates or updates this node's mirror of a repository while holding the lock on its folder. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostKind } from '../../engines/code-hosts/index.ts';
import {
  checkRemoteAddress,
  cloneMirror,
  fetchMirror,
  type MirrorProgress,
  maintainMirror,
} from '../../engines/git/index.ts';
import { errorCode } from '../../platform/core/errors/start-failure.ts';
import type { SecretBox } from '../../platform/core/ports/secret-box.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import { hexHashOf } from '../../platform/core/text/secret-token.ts';
import type { Db } from '../../platform/db/index.ts';
import { type Credential, openCredential, selectOrigin } from '../repositories/index.ts';
import type { MirrorFolders } from './mirror-folders.ts';

/** Null when the repository is no longer connected to a code host. Throws a `HostError`. */
export type HostAddressOf = (
  repositoryId: string,
  signal: AbortSignal,
) => Promise<{ url: string; credential: Credential | null } | null>;

export interface SyncServices {
  db: Db;
  secrets: SecretBox;
  folders: MirrorFolders;
  log: Log;
  settings: { dataDir: string; allowLocalRepositories: boolean; allowPrivateAddresses: boolean };
  /** Where repositories of code hosts are fetched, with a credential that can be short-lived. */
  hostAddress?: HostAddressOf | undefined;
  /** SSH host keys for all repositories of this node. */
  knownHostsFile: string;
  /** The commits that are kept whatever happens to the branches that had them. */
  keptCommits?: (db: Db, repositoryId: string) => Promise<string[]>;
  /** Kept commits that the origin didn't have; they aren't requested again. */
  lacking: Set<string>;
  /** Commits that somebody named. The origin may lack them. */
  wanted?: readonly string[];
}

/** Where code hosts keep the heads of pull requests, those of forks too. */
const PULL_REQUEST_REFS: Record<HostKind, string[]> = {
  github: ['refs/pull/*/head'],
  gitea: ['refs/pull/*/head'],
  gitlab: ['refs/merge-requests/*/head'],
};

/** The repository was removed, or no longer has a URL. */
export class RepositoryGone extends Error {
  constructor() {
    super('The repository no longer exists.');
    this.name = 'RepositoryGone';
  }
}

/** Returns the digest of the refs that were recorded when it started: the mirror now has all of their commits. */
export async function syncMirror(
  services: SyncServices,
  repositoryId: string,
  onProgress: (progress: MirrorProgress) => void,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const { db, folders, knownHostsFile, lacking, log, secrets, settings } = services;
  const { factsFolder, gitDir, indexFolder } = folders.of(repositoryId);
  const origin = await selectOrigin(db, repositoryId);
  if (!origin?.url) throw new RepositoryGone();
  const atHost = origin.host_kind === null ? null : await services.hostAddress?.(repositoryId, signal);
  // Checked each time: the name may resolve to another address now.
  const remote = await checkRemoteAddress(atHost?.url ?? origin.url, {
    allowLocal: settings.allowLocalRepositories || origin.added_by_operator,
    allowPrivateAddresses: settings.allowPrivateAddresses || origin.added_by_operator,
    ownFolder: settings.dataDir,
  });
  const credential = atHost?.credential ?? openCredential(secrets, repositoryId, origin.credential);
  const commits = (await services.keptCommits?.(db, repositoryId)) ?? [];
  const options = {
    remote,
    credential,
    knownHostsFile,
    otherRefs: origin.host_kind === null ? [] : PULL_REQUEST_REFS[origin.host_kind as HostKind],
    keep: commits.filter((commit) => !lacking.has(commit)),
    wanted: services.wanted ?? [],
    onProgress,
    signal,
  };
  const fresh = `${gitDir}.new`;
  const old = `${gitDir}.old`;
  for (const folder of [fresh, old]) await rm(folder, { recursive: true, force: true });
  if (await isFrom(gitDir, origin.url)) {
    for (const commit of await fetchMirror({ gitDir, ...options })) lacking.add(commit);
    await maintainMirror(gitDir, signal).catch((error: unknown) =>
      log.warn({ err: error, repositoryId }, 'a mirror could not be repacked; it remains usable'),
    );
    return origin.refs_digest;
  }
  // Another URL may be another repository: nothing of the old one may remain.
  await cloneMirror({ gitDir: fresh, ...options });
  await writeFile(join(fresh, ORIGIN_FILE), hexHashOf(origin.url));
  const hadOther = await rename(gitDir, old).then(
    () => true,
    (error: unknown) => {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    },
  );
  if (hadOther) {
    for (const folder of [indexFolder, factsFolder]) await rm(folder, { recursive: true, force: true });
  }
  await rename(fresh, gitDir);
  await rm(old, { recursive: true, force: true });
  if (options.otherRefs.length > 0 || options.keep.length > 0 || options.wanted.length > 0) {
    for (const commit of await fetchMirror({ gitDir, ...options })) lacking.add(commit);
  }
  return origin.refs_digest;
}

/** Inside the mirror, so that both appear together. */
const ORIGIN_FILE = 'countersign-origin';

/** Whether there is a mirror that was cloned from this URL. */
export async function isFrom(gitDir: string, url: string): Promise<boolean> {
  const origin = await readFile(join(gitDir, ORIGIN_FILE), 'utf8').catch(() => undefined);
  return origin === hexHashOf(url);
}
