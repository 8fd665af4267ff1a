/**
 * The mirrors on this node: each node fetches its own copies from the origins. PostgreSQL is the source of truth; mirrors can
 * be deleted and recreated.
 */
import { join } from 'node:path';
import type { OriginAnswer } from '../../platform/core/ports/code-reader.ts';
import type { SecretBox } from '../../platform/core/ports/secret-box.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import type { Call } from '../../platform/core/work/fair-queue.ts';
import type { Db } from '../../platform/db/index.ts';
import { selectExistingRepositories, selectExpectedMirror } from '../repositories/index.ts';
import { createOriginAsker } from './ask-origin.ts';
import { createMirrorFolders, type MirrorFolder } from './mirror-folders.ts';
import { takeLock } from './mirror-lock.ts';
import { type HostAddressOf, RepositoryGone } from './open-origin.ts';
import type { Activity } from './progress-writer.ts';
import {
  type ExtractHead,
  type IndexHeads,
  type OnRefreshed,
  type RefreshOutcome,
  refreshMirror,
} from './refresh-mirror.ts';
import { createSharedWork, type WorkOptions } from './shared-work.ts';
import { isFrom, syncMirror } from './sync-mirror.ts';

/** Each costs a connection to the origin if it lacks the commit. */
const MAX_WANTED = 5;
/** A hung process must not block a removal. */
const FORGET_MS = 10_000;

export interface MirrorSettings {
  dataDir: string;
  allowLocalRepositories: boolean;
  allowPrivateAddresses: boolean;
  repositoryRefreshSeconds: number;
}

export interface Mirrors {
  folderOf(repositoryId: string): MirrorFolder;
  /** Updates this node's mirror with a fetch that starts after the call; concurrent calls share one. */
  sync(repositoryId: string, options: WorkOptions<Activity>): Promise<void>;
  /** Asks the origin for refs and, by its full id, for a commit that nobody recorded yet; at most once in a few seconds. */
  ask(repositoryId: string, call: Call, commit?: string): Promise<OriginAnswer>;
  /** Whether the mirror was cloned from the current URL; looked up only after a change notification. */
  isOfOrigin(repositoryId: string): Promise<boolean>;
  /** Whether the repository was not removed. */
  exists(repositoryId: string): Promise<boolean>;
  /** Whether refs are recorded whose commits this node hasn't fetched. */
  isBehind(repositoryId: string): Promise<boolean>;
  /** Like `sync`, and records the origin's refs for all nodes. */
  refresh(
    repositoryId: string,
    options: { onlyWhenDue: boolean; onProgress?(activity: Activity): void; signal: AbortSignal },
  ): Promise<RefreshOutcome>;
  /** Deletes this node's mirror and index, and cancels work on them. */
  remove(repositoryId: string): Promise<void>;
  /** Deletes mirrors of removed repositories, and leftovers of killed processes. */
  sweep(): Promise<void>;
  /** Call on every change, so that the mirror of a removed or moved repository is no longer used. */
  noticeChange(topic: string | undefined): void;
  /** Cancels all work and waits for it to end. */
  close(): Promise<void>;
}

export function createMirrors(services: {
  db: Db;
  secrets: SecretBox;
  log: Log;
  settings: MirrorSettings;
  announce(topic: string): void;
  index?: IndexHeads;
  extract?: ExtractHead;
  onRefreshed?: OnRefreshed;
  hostAddress?: HostAddressOf;
  /** The commits that are kept whatever happens to the branches that had them, such as heads of pull requests. */
  keptCommits?: (db: Db, repositoryId: string) => Promise<string[]>;
  /** Called once the files are deleted, so that open handles are closed. */
  onRemoved?(folder: MirrorFolder, signal: AbortSignal): Promise<unknown>;
}): Mirrors {
  const { db, log, settings } = services;
  const folders = createMirrorFolders(settings.dataDir);
  const knownHostsFile = join(settings.dataDir, 'repositories', 'known_hosts');
  const known = new Set(folders.ids());
  const closing = new AbortController();
  /** The digest of the refs whose commits are all in the mirror. */
  const herePerId = new Map<string, Buffer | null>();
  /** Kept commits that the origin didn't have. */
  const lackingPerId = new Map<string, Set<string>>();
  /** Commits to request by their ids with the next sync. */
  const wantedPerId = new Map<string, Set<string>>();
  /** Repositories whose mirror is known to be of the current URL. */
  const ofOrigin = new Set<string>();
  let changes = 0;

  const shared = createSharedWork<Activity>(async (repositoryId, onProgress, signal) => {
    known.add(repositoryId);
    await folders.make(repositoryId);
    const lock = await takeLock(folders.of(repositoryId).lockFile, signal);
    try {
      const lacking = lackingPerId.get(repositoryId) ?? new Set<string>();
      lackingPerId.set(repositoryId, lacking);
      const wanted = [...(wantedPerId.get(repositoryId) ?? [])];
      wantedPerId.delete(repositoryId);
      const work = { ...services, folders, knownHostsFile, lacking, wanted };
      herePerId.set(repositoryId, await syncMirror(work, repositoryId, onProgress, signal));
    } finally {
      lock.release();
    }
  });

  const asker = createOriginAsker({
    ...services,
    gitDirOf: (id) => folders.of(id).gitDir,
    onHere: (id, digest) => void herePerId.set(id, digest),
    sync: (id, signal) => shared.run(id, { signal }),
    closing: closing.signal,
  });

  const folderOf = (repositoryId: string): MirrorFolder => {
    const { factsFolder, gitDir, indexFolder } = folders.of(repositoryId);
    return { gitDir, indexFolder, factsFolder };
  };
  const remove = async (repositoryId: string): Promise<void> => {
    await shared.stop(repositoryId, new RepositoryGone());
    await folders.make(repositoryId);
    const lock = await takeLock(folders.of(repositoryId).lockFile, closing.signal);
    try {
      await folders.remove(repositoryId);
      lackingPerId.delete(repositoryId);
      wantedPerId.delete(repositoryId);
      known.delete(repositoryId);
      herePerId.delete(repositoryId);
      ofOrigin.delete(repositoryId);
    } finally {
      lock.release();
    }
    await services
      .onRemoved?.(folderOf(repositoryId), AbortSignal.any([closing.signal, AbortSignal.timeout(FORGET_MS)]))
      .catch((error: unknown) =>
        log.debug(
          { err: error, repositoryId },
          'the search process could not be notified of a removed repository',
        ),
      );
  };
  const removeGone = async (ids: string[]): Promise<void> => {
    if (ids.length === 0) return;
    const existing = await selectExistingRepositories(db, ids);
    for (const id of ids) if (!existing.has(id)) await remove(id);
  };

  return {
    folderOf,
    sync: (repositoryId, options) =>
      shared.run(repositoryId, { ...options, signal: AbortSignal.any([options.signal, closing.signal]) }),
    ask(repositoryId, call, commit) {
      const wanted = wantedPerId.get(repositoryId) ?? new Set<string>();
      if (commit !== undefined && wanted.size < MAX_WANTED) wantedPerId.set(repositoryId, wanted.add(commit));
      return asker.ask(repositoryId, call);
    },
    async isOfOrigin(repositoryId) {
      if (ofOrigin.has(repositoryId)) return true;
      const before = changes;
      const expected = await selectExpectedMirror(db, repositoryId);
      if (!expected?.url || !(await isFrom(folders.of(repositoryId).gitDir, expected.url))) return false;
      if (changes === before) ofOrigin.add(repositoryId);
      return true;
    },
    exists: async (repositoryId) => (await selectExpectedMirror(db, repositoryId)) !== undefined,
    async isBehind(repositoryId) {
      const expected = await selectExpectedMirror(db, repositoryId);
      if (!expected?.refs_digest) return false;
      return !herePerId.get(repositoryId)?.equals(expected.refs_digest);
    },
    refresh: (repositoryId, options) =>
      refreshMirror(
        {
          ...services,
          gitDirOf: (id) => folders.of(id).gitDir,
          onHere: (id, digest) => void herePerId.set(id, digest),
          sync: shared.run,
          refreshSeconds: settings.repositoryRefreshSeconds,
        },
        repositoryId,
        { ...options, signal: AbortSignal.any([options.signal, closing.signal]) },
      ),
    remove,
    async sweep() {
      await folders.removeLeftovers();
      await removeGone(folders.ids());
    },
    noticeChange(topic) {
      const ids = topic === undefined ? [...known] : known.has(topic) ? [topic] : [];
      if (ids.length > 0) changes += 1;
      for (const id of ids) ofOrigin.delete(id);
      removeGone(ids).catch((error: unknown) =>
        log.warn({ err: error }, 'a removed repository could not be deleted from disk; retrying later'),
      );
    },
    async close() {
      const reason = new Error('The service is stopping.');
      closing.abort(reason);
      await shared.stopAll(reason);
    },
  };
}
