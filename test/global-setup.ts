/** One PostgreSQL for the whole run, with a migrated template that every test database is cloned from; and the program, built once. */
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createLog } from '../src/platform/core/telemetry/log.ts';
import {
  type Connection,
  connectionFromUrl,
  migrate,
  startEmbeddedPostgres,
  withConnection,
} from '../src/platform/db/index.ts';
import { findPostgres15, startPostgres15 } from './helpers/database/postgres-15.ts';
import { buildProgramForTests } from './helpers/processes/built-program.ts';
import { isRunning } from './helpers/processes/countersign-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: Connection;
  }
}

export const TEMPLATE = 'countersign_template';

const log = createLog({ level: 'warn', terminal: false });

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await makeTemporaryFolder();
  const server = process.env.TEST_DATABASE_URL
    ? { connection: connectionFromUrl(process.env.TEST_DATABASE_URL), stop: async () => undefined }
    : process.env.TEST_POSTGRES === '15'
      ? await startOldestPostgres()
      : await startThrowawayPostgres();
  await withConnection(server.connection, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE}`);
    await client.query(`CREATE DATABASE ${TEMPLATE}`);
  });
  await migrate({ ...server.connection, database: TEMPLATE }, log);
  project.provide('postgres', server.connection);
  process.env.TEST_PROGRAM = await buildProgramForTests();
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/**
 * Removed at the end with everything that tests and the processes they kill leave behind. Its path is short, for the sockets in
 * it.
 */
async function makeTemporaryFolder(): Promise<string> {
  const folder = (await makeFolderInMemory()) ?? (await mkdtemp(join(tmpdir(), 'cs-')));
  // PostgreSQL runs as another user if the tests run as root.
  await chmod(folder, 0o755);
  // For the workers too, which are started later.
  process.env.TMPDIR = folder;
  return folder;
}

/** Linux keeps these files in memory: making and removing the small ones of databases and repositories costs half as much there. */
const IN_MEMORY = '/dev/shm';
/** The file that names the process of a run. */
const RUN_BY = 'pid';

async function makeFolderInMemory(): Promise<string | undefined> {
  const others = await otherRuns();
  if (others > 0 || !(await hasRoomInMemory())) return undefined;
  const folder = await mkdtemp(join(IN_MEMORY, 'cs-'));
  await writeFile(join(folder, RUN_BY), String(process.pid));
  if (await canRunPrograms(folder)) return folder;
  await rm(folder, { recursive: true });
  return undefined;
}

/** A run leaves some 8 GB until its end. A folder given in TMPDIR is the one to use. */
async function hasRoomInMemory(): Promise<boolean> {
  if (process.platform !== 'linux' || process.env.TMPDIR) return false;
  const { bavail, bsize } = await statfs(IN_MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  const available = /^MemAvailable:\s+(\d+) kB/m.exec(await readFile('/proc/meminfo', 'utf8'))?.[1];
  return bavail * bsize > 12e9 && Number(available ?? 0) * 1024 > 16e9;
}

/** Containers often forbid it there; tests start programs and hooks that they write. */
async function canRunPrograms(folder: string): Promise<boolean> {
  const program = join(folder, 'program');
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 });
  return spawnSync(program).status === 0;
}

/** How many use memory now: two at once could use all of it. Removes what runs that were killed have left there. */
async function otherRuns(): Promise<number> {
  let found = 0;
  for (const name of await readdir(IN_MEMORY).catch(() => [])) {
    const folder = join(IN_MEMORY, name);
    const runBy = name.startsWith('cs-') && (await readFile(join(folder, RUN_BY), 'utf8').catch(() => ''));
    if (runBy && isRunning(Number(runBy))) found += 1;
    else if (runBy) await rm(folder, { recursive: true, force: true });
  }
  return found;
}

/**
 * Only these throwaway databases run without fsync; crash tests use their own PostgreSQL. Autovacuum visits every database each
 * minute, and a run has hundreds, of a few minutes each.
 */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '300',
};

async function startOldestPostgres() {
  const programs = findPostgres15();
  if (!programs)
    throw new Error(
      'PostgreSQL 15 is not installed. Install it, or set POSTGRES15_BIN to the folder of its programs.',
    );
  return startPostgres15(programs, SETTINGS);
}

async function startThrowawayPostgres(): Promise<{ connection: Connection; stop(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'countersign-test-'));
  const postgres = await startEmbeddedPostgres({
    dir,
    log,
    settings: SETTINGS,
  });
  const { user, password } = postgres.connection;
  // Both sides hash a password thousands of times for each connection, and tests open thousands.
  await withConnection(postgres.connection, (client) =>
    client.query(`SET scram_iterations = 1; ALTER USER "${user}" PASSWORD '${password}'`),
  );
  return { connection: postgres.connection, stop: postgres.stop };
}
