/**
 * The mirrors of this node: copies of repositories that any node makes for itself from the origin. What is true of a
 * repository is in PostgreSQL; what is here can be deleted and made again.
 */
import { join } from 'node:path';
import type { Log } from '../../platform/core/log.ts';
import type { SecretBox } from '../../platform/core/secret-box.ts';
import type { Db } from '../../platform/db/index.ts';
import { createMirrorFolders, type MirrorFolder } from './mirror-folders.ts';
import { takeLock } from './mirror-lock.ts';
import type { Activity } from './progress-writer.ts';
import { type IndexHeads, type OnRefreshed, type RefreshOutcome, refreshMirror } from './refresh-mirror.ts';
import { selectExisting, selectExpected } from './refresh-store.ts';
import { createSharedWork, type Wish } from './shared-work.ts';
import { isFrom, RepositoryGone, syncMirror } from './sync-mirror.ts';

/** Something that hangs must not keep the rest of a removal waiting. */
const FORGET_MS = 10_000;

export interface MirrorSettings {
  dataDir: string;
  allowLocalRepositories: boolean;
  allowPrivateAddresses: boolean;
  repositoryRefreshSeconds: number;
}

export interface Mirrors {
  folderOf(repositoryId: string): MirrorFolder;
  /** Brings this node's mirror to what the origin has, by a fetch that begins after the call; many calls share one. */
  sync(repositoryId: string, wish: Wish<Activity>): Promise<void>;
  /** Waits for a sync that is under way or about to begin, when there is one. */
  join(repositoryId: string, signal: AbortSignal): Promise<void>;
  /** Whether the copy here is of the URL in force; looked up only after something was said to have changed. */
  isOfOrigin(repositoryId: string): Promise<boolean>;
  /** Whether refs may be written down for all nodes whose commits this node has not fetched. */
  isBehind(repositoryId: string): Promise<boolean>;
  /** The same, and writes down for all nodes what the origin has. */
  refresh(
    repositoryId: string,
    options: { onlyWhenDue: boolean; onProgress?(activity: Activity): void; signal: AbortSignal },
  ): Promise<RefreshOutcome>;
  /** Deletes this node's copy and index; what is under way with it is broken off. */
  remove(repositoryId: string): Promise<void>;
  /** Deletes the copies of repositories that are gone, and what killed processes left. */
  sweep(): Promise<void>;
  /** To be called with every change, so that the copy of a removed or moved repository is no longer used. */
  noticeChange(topic: string | undefined): void;
  /** Breaks off what is under way and waits for its end. */
  close(): Promise<void>;
}

export function createMirrors(services: {
  db: Db;
  secrets: SecretBox;
  log: Log;
  settings: MirrorSettings;
  announce(topic: string): void;
  index?: IndexHeads;
  onRefreshed?: OnRefreshed;
  /** Told once the files are gone, so that nothing holds on to them. */
  onRemoved?(folder: MirrorFolder, signal: AbortSignal): Promise<unknown>;
}): Mirrors {
  const { db, log, settings } = services;
  const folders = createMirrorFolders(settings.dataDir);
  const knownHostsFile = join(settings.dataDir, 'repositories', 'known_hosts');
  const known = new Set(folders.ids());
  const closing = new AbortController();
  /** The digest of the refs whose commits are all here. */
  const herePerId = new Map<string, Buffer | null>();
  /** Repositories whose copy is known to be of the URL in force. */
  const ofOrigin = new Set<string>();
  let changes = 0;

  const shared = createSharedWork<Activity>(async (repositoryId, onProgress, signal) => {
    known.add(repositoryId);
    await folders.make(repositoryId);
    const lock = await takeLock(folders.of(repositoryId).lockFile, signal);
    try {
      const work = { ...services, folders, knownHostsFile };
      herePerId.set(repositoryId, await syncMirror(work, repositoryId, onProgress, signal));
    } finally {
      lock.release();
    }
  });

  const folderOf = (repositoryId: string): MirrorFolder => {
    const { gitDir, indexFolder } = folders.of(repositoryId);
    return { gitDir, indexFolder };
  };
  const remove = async (repositoryId: string): Promise<void> => {
    await shared.stop(repositoryId, new RepositoryGone());
    await folders.make(repositoryId);
    const lock = await takeLock(folders.of(repositoryId).lockFile, closing.signal);
    try {
      await folders.remove(repositoryId);
      known.delete(repositoryId);
      herePerId.delete(repositoryId);
      ofOrigin.delete(repositoryId);
    } finally {
      lock.release();
    }
    await services
      .onRemoved?.(folderOf(repositoryId), AbortSignal.any([closing.signal, AbortSignal.timeout(FORGET_MS)]))
      .catch((error: unknown) => log.debug({ err: error, repositoryId }, 'its removal could not be told'));
  };
  const removeGone = async (ids: string[]): Promise<void> => {
    if (ids.length === 0) return;
    const existing = await selectExisting(db, ids);
    for (const id of ids) if (!existing.has(id)) await remove(id);
  };

  return {
    folderOf,
    sync: (repositoryId, wish) =>
      shared.ask(repositoryId, { ...wish, signal: AbortSignal.any([wish.signal, closing.signal]) }),
    join: (repositoryId, signal) => shared.join(repositoryId, AbortSignal.any([signal, closing.signal])),
    async isOfOrigin(repositoryId) {
      if (ofOrigin.has(repositoryId)) return true;
      const before = changes;
      const expected = await selectExpected(db, repositoryId);
      if (!expected?.url || !(await isFrom(folders.of(repositoryId).gitDir, expected.url))) return false;
      if (changes === before) ofOrigin.add(repositoryId);
      return true;
    },
    async isBehind(repositoryId) {
      const expected = await selectExpected(db, repositoryId);
      if (!expected?.refs_digest) return false;
      return !herePerId.get(repositoryId)?.equals(expected.refs_digest);
    },
    refresh: (repositoryId, options) =>
      refreshMirror(
        {
          ...services,
          gitDirOf: (id) => folders.of(id).gitDir,
          onHere: (id, digest) => void herePerId.set(id, digest),
          sync: shared.ask,
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
        log.warn({ err: error }, 'a removed repository could not be deleted here; it is tried again'),
      );
    },
    async close() {
      const reason = new Error('The service stops.');
      closing.abort(reason);
      await shared.stopAll(reason);
    },
  };
}
