/** The lock on a repository's folder between processes on this machine: a kernel lock, released when its process ends. */
import { type BigIntStats, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 200;
const SQLITE_BUSY = 5;
/** SQLite's error when the file was deleted between opening and locking it, by the process that removed the repository. */
const FILE_DELETED = [1802, 1032];

export interface MirrorLock {
  release(): void;
}

/** Waits until no other process holds it. */
export async function takeLock(file: string, signal: AbortSignal): Promise<MirrorLock> {
  for (;;) {
    signal.throwIfAborted();
    const lock = tryLock(file);
    if (lock) return lock;
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

/**
 * An open SQLite transaction; undefined when another process has one, or has just deleted the file. Removing a repository
 * deletes the file while its lock is held. A lock on a deleted file excludes nobody, so the file must still be the one that was opened.
 */
function tryLock(file: string): MirrorLock | undefined {
  const before = identityOf(file);
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    if (before !== undefined && identityOf(file) === before) return { release: () => database.close() };
    database.close();
  } catch (error) {
    database.close();
    const code = (error as { errcode?: number }).errcode ?? 0;
    if (code % 256 === SQLITE_BUSY || FILE_DELETED.includes(code)) return undefined;
    throw error;
  }
  // Opening creates a missing file, which can then be recognized.
  return before === undefined ? tryLock(file) : undefined;
}

/** Inode numbers are reused, so timestamps distinguish the files. */
function identityOf(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false }) as BigIntStats | undefined;
  return stats && [stats.dev, stats.ino, stats.birthtimeNs, stats.ctimeNs].join(' ');
}
