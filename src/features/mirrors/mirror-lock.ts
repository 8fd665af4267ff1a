/** The lock on a repository's folder between processes on this machine: a kernel lock, released when its process ends. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 200;
const SQLITE_BUSY = 5;

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

/** An open SQLite transaction; undefined when another process has one. */
function tryLock(file: string): MirrorLock | undefined {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY) return undefined;
    throw error;
  }
}
