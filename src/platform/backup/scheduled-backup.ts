/** Backups at an interval, to a folder: one node makes each, the newest are kept. */
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Log } from '../core/telemetry/log.ts';
import type { Clock } from '../core/text/clock.ts';
import { makeFolder } from '../core/work/make-folder.ts';
import type { Connection, Db } from '../db/index.ts';
import { readPassphrase, readSecretFile, sealWithPassphrase } from '../secrets/index.ts';
import { isBackup } from './backup-file.ts';
import { recordBackup, recordFailedBackup } from './backup-store.ts';
import { writeBackup } from './write-backup.ts';

export interface BackupSchedule {
  folder: string;
  everyMs: number;
  keep: number;
  secretFile: string;
  passphrase: Parameters<typeof readPassphrase>[0];
}

const FILE = /^countersign-\d{8}T\d{6}Z\.backup$/;
const UNFINISHED = /^countersign-\d{8}T\d{6}Z\.backup\.partial$/;

export interface BackupServices {
  connection: Connection;
  db: Db;
  clock: Clock;
  log: Log;
}

export async function makeScheduledBackup(
  services: BackupServices,
  schedule: BackupSchedule,
  signal: AbortSignal,
): Promise<void> {
  const { clock, connection, db, log } = services;
  const { folder, keep } = schedule;
  const stamp = clock
    .now()
    .toISOString()
    .replace(/[-:]|\.\d+/g, '');
  const file = join(folder, `countersign-${stamp}.backup`);
  try {
    await makeFolder(folder);
    // Left by a node that was killed: the queue runs one backup at a time.
    for (const name of await namesIn(folder, UNFINISHED)) await rm(join(folder, name), { force: true });
    const result = await writeBackup({ connection, file, secret: await sealedSecret(schedule), signal });
    await recordBackup(db, { file, bytes: result.bytes });
    log.info({ file, ...result }, 'backup made');
  } catch (error) {
    if (!signal.aborted) await recordFailedBackup(db, (error as Error).message);
    throw error;
  }
  await removeOld(file, keep).catch((error: unknown) =>
    log.warn({ err: error, folder }, 'old backups could not be removed'),
  );
}

/** Keeps the one that was just made and the newest before it. Files of a later time, from a clock that was ahead, stay and don't count. */
async function removeOld(newest: string, keep: number): Promise<void> {
  const folder = dirname(newest);
  const before = (await namesIn(folder, FILE)).filter((name) => name < basename(newest)).toReversed();
  for (const name of before.slice(keep - 1)) {
    const file = join(folder, name);
    if (await isBackup(file)) await rm(file, { force: true });
  }
}

/** Null without a passphrase: nobody is there to ask. */
async function sealedSecret({ passphrase, secretFile }: BackupSchedule) {
  const given = await readPassphrase(passphrase);
  const secret = given === undefined ? undefined : await readSecretFile(secretFile);
  return given !== undefined && secret ? sealWithPassphrase(secret, given) : null;
}

/** Files from the oldest to the newest. */
async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map(({ name }) => name)
    .sort();
}
