/** The data folder: created, checked for free space, and used by one process at a time. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, StartFailure } from '../../core/errors/start-failure.ts';
import type { Log } from '../../core/telemetry/log.ts';
import { isAlive } from '../../core/work/is-alive.ts';
import { makeFolder } from '../../core/work/make-folder.ts';
import { folderFailure, freeBytes, noRoom } from './data-folder-failure.ts';
import { createLockFile, hasLockFile, tryLock } from './data-folder-lock.ts';

export type Purpose = 'serve' | 'command';

/** How another process of the same user reaches the PostgreSQL of a running service. */
export type ServiceDatabase = {
  host: string;
  port: number;
  user: string;
  database: string;
  passwordFile: string;
};

/** The contents of `service.json`, about the process that holds the lock; `starting` until its first announcement. */
export type ServiceInfo = {
  pid: number;
  purpose: Purpose;
  state: 'starting' | 'running';
  startedAt: string;
  address?: string;
  database?: ServiceDatabase;
};

export type Announcement = Pick<ServiceInfo, 'address' | 'database'>;

export type DataFolder = {
  dir: string;
  /** Adds to `service.json`; earlier values are kept unless they are announced again. */
  announce(info: Announcement): void;
  /** Releases the folder. May be called twice. */
  release(): void;
};

const ROOM_NEEDED_BYTES = 64 * 1024 * 1024;
const DEFAULT_WAIT_MS = 30_000;
const POLL_MS = 40;
/** A process writes service.json right after acquiring the lock, so a file that is unchanged for this long is its own. */
const SETTLED_MS = 2_000;

/** A lock is released when its database object is garbage-collected, so the objects are kept here. */
const heldLocks = new Set<DatabaseSync>();

export async function makeDataFolder(dir: string): Promise<void> {
  try {
    await makeFolder(dir);
  } catch (error) {
    throw folderFailure(error, dir);
  }
}

export async function openDataFolder(options: {
  dir: string;
  purpose: Purpose;
  log: Log;
  waitMs?: number;
  /** Whether to open it although its disk is full: without PostgreSQL in it, all of it can still be read. */
  evenIfFull?: boolean;
}): Promise<DataFolder> {
  const dir = resolve(options.dir);
  const tolerateFull = (error: unknown) => {
    const failure = folderFailure(error, dir);
    const isFull = failure instanceof StartFailure && failure.kind === 'disk_full';
    if (!options.evenIfFull || !isFull) throw failure;
    options.log.error({ err: failure }, 'the disk of the data folder is full: repositories are not updated');
  };
  const publish = (info: ServiceInfo) => {
    try {
      writeInfo(dir, info);
    } catch (error) {
      tolerateFull(error);
    }
  };
  await makeWritable(dir).catch(tolerateFull);
  const lock = await waitForLock({ ...options, dir });
  heldLocks.add(lock);

  let info: ServiceInfo = {
    pid: process.pid,
    purpose: options.purpose,
    state: 'starting',
    startedAt: new Date().toISOString(),
  };
  const release = () => {
    if (!heldLocks.delete(lock)) return;
    rmSync(infoFile(dir), { force: true });
    lock.close();
  };
  try {
    publish(info);
  } catch (error) {
    release();
    throw error;
  }
  return {
    dir,
    release,
    announce: (announcement) => {
      info = { ...info, ...announcement, state: 'running' };
      publish(info);
    },
  };
}

/**
 * The service that is running on this folder, if any. While a service is starting, this waits for its first
 * announcement, so that a command run right after `serve` finds the database.
 */
export async function readRunningService(
  dir: string,
  options: { waitMs?: number } = {},
): Promise<ServiceInfo | undefined> {
  const deadline = performance.now() + (options.waitMs ?? DEFAULT_WAIT_MS);
  const holder = holderReader(dir);
  while (hasLockFile(dir)) {
    const lock = tryLock(dir);
    if (lock) {
      lock.close();
      return undefined;
    }
    const info = holder();
    if (info?.purpose === 'command') return undefined;
    if (info?.state === 'running') return info;
    if (performance.now() > deadline) throw inUse(dir, info);
    await pause();
  }
  return undefined;
}

const infoFile = (dir: string) => join(dir, 'service.json');
/** Random, so that two processes that blocked each other don't collide again at every attempt. */
const pause = () => delay(POLL_MS * (0.5 + Math.random()));

async function makeWritable(dir: string): Promise<void> {
  try {
    await makeFolder(dir);
    const free = freeBytes(dir);
    if (free !== undefined && free < ROOM_NEEDED_BYTES) {
      throw noRoom(dir, `It has ${Math.floor(free / 1024 / 1024)} MiB free and needs at least 64 MiB.`);
    }
    const probe = join(dir, `write-check-${process.pid}`);
    writeFileSync(probe, 'This file may be deleted.\n', { mode: 0o600 });
    rmSync(probe);
    createLockFile(dir);
  } catch (error) {
    throw folderFailure(error, dir);
  }
}

async function waitForLock(options: {
  dir: string;
  purpose: Purpose;
  log: Log;
  waitMs?: number;
}): Promise<DatabaseSync> {
  const { dir, log } = options;
  const deadline = performance.now() + (options.waitMs ?? DEFAULT_WAIT_MS);
  const holder = holderReader(dir);
  let hasLogged = false;
  for (;;) {
    const lock = tryLock(dir);
    if (lock) return lock;
    const info = holder();
    if (info?.purpose === 'serve' || performance.now() > deadline) throw inUse(dir, info);
    if (info && !hasLogged) {
      log.info({ holder: info.pid }, 'Waiting for another Countersign command to finish');
      hasLogged = true;
    }
    await pause();
  }
}

/**
 * Reads who holds the lock. Right after the lock was acquired, service.json is missing or still describes an earlier
 * process that was killed. So it counts only if that process is alive, or (if its ID can't be looked up, as from
 * another container) once the file has not changed for a while.
 */
function holderReader(dir: string): () => ServiceInfo | undefined {
  let text: string | undefined;
  let seenAt = 0;
  return () => {
    const now = readInfoText(dir);
    if (now !== text) {
      text = now;
      seenAt = performance.now();
    }
    const info = text === undefined ? undefined : parseInfo(text);
    if (!info) return undefined;
    return isAlive(info.pid) || performance.now() - seenAt > SETTLED_MS ? info : undefined;
  };
}

/** A power failure can leave the file empty; this is the same as a missing file. */
function parseInfo(text: string): ServiceInfo | undefined {
  try {
    return JSON.parse(text) as ServiceInfo;
  } catch {
    return undefined;
  }
}

function readInfoText(dir: string): string | undefined {
  try {
    return readFileSync(infoFile(dir), 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw folderFailure(error, dir);
  }
}

function writeInfo(dir: string, info: ServiceInfo): void {
  const next = `${infoFile(dir)}.new`;
  rmSync(next, { force: true });
  writeFileSync(next, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600 });
  renameSync(next, infoFile(dir));
}

function inUse(dir: string, info: ServiceInfo | undefined): StartFailure {
  const who = info?.purpose === 'command' ? 'A Countersign command' : 'Another Countersign';
  const where = info ? ` (process ${info.pid}${info.address ? `, ${info.address}` : ''})` : '';
  const state = info?.purpose === 'serve' && info.state === 'starting' ? 'is starting' : 'runs';
  return new StartFailure(
    'data_folder_in_use',
    `${who}${where} ${state} on the data folder ${dir}. Stop it first, or set DATA_DIR to another folder.`,
  );
}
