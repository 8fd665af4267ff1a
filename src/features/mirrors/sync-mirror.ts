/** Creates or updates this node's mirror of a repository while holding the lock on its folder. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostKind } from '../../engines/code-hosts/index.ts';
import { cloneMirror, fetchMirror, type MirrorProgress, maintainMirror } from '../../engines/git/index.ts';
import { errorCode } from '../../platform/core/errors/start-failure.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import { hexHashOf } from '../../platform/core/text/secret-token.ts';
import type { Db } from '../../platform/db/index.ts';
import type { MirrorFolders } from './mirror-folders.ts';
import { type OriginServices, openOrigin } from './open-origin.ts';

export interface SyncServices extends OriginServices {
  folders: MirrorFolders;
  log: Log;
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

/** Returns the digest of the refs that were recorded when it started: the mirror now has all of their commits. */
export async function syncMirror(
  services: SyncServices,
  repositoryId: string,
  onProgress: (progress: MirrorProgress) => void,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const { db, folders, knownHostsFile, lacking, log } = services;
  const { factsFolder, gitDir, indexFolder } = folders.of(repositoryId);
  const { credential, origin, remote } = await openOrigin(services, repositoryId, signal);
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
