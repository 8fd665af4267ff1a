/**
 * The mirrors of this node: copies of repositories that any node makes for itself from the origin. What is true of a
 * repository is in PostgreSQL; what is here can be deleted and made again.
 */
import { join } from 'node:path';
import type { Log } from '../core/log.ts';
import type { SecretBox } from '../core/secret-box.ts';
import type { Db } from '../db/index.ts';
import { createMirrorFolders, type MirrorFolder } from './mirror-folders.ts';
import { takeLock } from './mirror-lock.ts';
import type { Activity } from './progress-writer.ts';
import { type IndexHeads, type OnRefreshed, type RefreshOutcome, refreshMirror } from './refresh-mirror.ts';
import { selectExisting } from './refresh-store.ts';
import { createSharedWork, type Wish } from './shared-work.ts';
import { RepositoryGone, syncMirror } from './sync-mirror.ts';

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
  /** The same, and writes down for all nodes what the origin has. */
  refresh(
    repositoryId: string,
    options: { onlyWhenDue: boolean; onProgress?(activity: Activity): void; signal: AbortSignal },
  ): Promise<RefreshOutcome>;
  /** Deletes this node's copy and index; what is under way with it is broken off. */
  remove(repositoryId: string): Promise<void>;
  /** Deletes the copies of repositories that are gone, and what killed processes left. */
  sweep(): Promise<void>;
  /** To be told of every change, so that the copy of a removed repository goes at once. */
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
}): Mirrors {
  const { db, log, settings } = services;
  const folders = createMirrorFolders(settings.dataDir);
  const knownHostsFile = join(settings.dataDir, 'repositories', 'known_hosts');
  const known = new Set(folders.ids());
  const closing = new AbortController();

  const shared = createSharedWork<Activity>(async (repositoryId, onProgress, signal) => {
    known.add(repositoryId);
    await folders.make(repositoryId);
    const lock = await takeLock(folders.of(repositoryId).lockFile, signal);
    try {
      await syncMirror({ ...services, folders, knownHostsFile }, repositoryId, onProgress, signal);
    } finally {
      lock.release();
    }
  });

  const remove = async (repositoryId: string): Promise<void> => {
    await shared.stop(repositoryId, new RepositoryGone());
    await folders.make(repositoryId);
    const lock = await takeLock(folders.of(repositoryId).lockFile, closing.signal);
    try {
      await folders.remove(repositoryId);
      known.delete(repositoryId);
    } finally {
      lock.release();
    }
  };
  const removeGone = async (ids: string[]): Promise<void> => {
    if (ids.length === 0) return;
    const existing = await selectExisting(db, ids);
    for (const id of ids) if (!existing.has(id)) await remove(id);
  };

  return {
    folderOf(repositoryId) {
      const { gitDir, indexFolder } = folders.of(repositoryId);
      return { gitDir, indexFolder };
    },
    sync: (repositoryId, { onProgress, signal }) =>
      shared.ask(repositoryId, { onProgress, signal: AbortSignal.any([signal, closing.signal]) }),
    refresh: (repositoryId, options) =>
      refreshMirror(
        {
          ...services,
          gitDirOf: (id) => folders.of(id).gitDir,
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
