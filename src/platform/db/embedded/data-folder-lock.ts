/** The lock on the data folder: a kernel lock through SQLite, so it ends with its process and is never stale. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errorCode } from '../../core/errors/start-failure.ts';
import { noRoom, unwritable } from './data-folder-failure.ts';

const lockFile = (dir: string) => join(dir, 'lock');
const SQLITE = { busy: 5, readOnly: 8, io: 10, full: 13, cannotOpen: 14 };

export const hasLockFile = (dir: string) => existsSync(lockFile(dir));

/** Only creates the file: closing another handle on an existing lock file would release this process's own lock on it. */
export function createLockFile(dir: string): void {
  try {
    closeSync(openSync(lockFile(dir), 'wx', 0o600));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Acquires the lock by opening a transaction that stays open; returns undefined if another process has it. */
export function tryLock(dir: string): DatabaseSync | undefined {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(lockFile(dir), { timeout: 0 });
    // Nothing is ever committed. A journal on disk could not be written when that is full.
    lock.exec('PRAGMA journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    const result = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
    if (result === SQLITE.busy) return undefined;
    if (result === SQLITE.full) throw noRoom(dir, 'The lock file cannot be written.', error);
    if (result === SQLITE.io) throw unwritable(dir, 'file locks do not work on its file system', error);
    if (result === SQLITE.readOnly || result === SQLITE.cannotOpen) {
      throw unwritable(dir, 'its lock file cannot be written', error);
    }
    throw error;
  }
}
