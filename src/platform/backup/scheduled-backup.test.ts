/** Scheduled backups: one node makes each, old ones go, and a failure is recorded and leaves the others. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/helpers/database/database.ts';
import { cleanUp, temporaryFolder } from '../../../test/helpers/processes/real-processes.ts';
import { openDatabase } from '../db/index.ts';
import type { Queue } from '../queue/index.ts';
import { makeScheduledBackup, verifyBackup } from './index.ts';
import { makeBackup } from './jobs.ts';

const connection = await createTestDatabase();
const database = await openDatabase(connection, { poolSize: 10, onConnectionLost: () => undefined });
const { db } = database;
afterAll(async () => {
  await database.close();
  await cleanUp();
});

const base = temporaryFolder();
const schedule = {
  folder: join(base, 'backups'),
  everyMs: 3_600_000,
  keep: 2,
  secretFile: join(base, 'secret.key'),
  passphrase: { text: undefined, file: undefined } as { text: string | undefined; file: string | undefined },
};
let time = Date.UTC(2026, 10, 16, 3);
const services = {
  connection,
  db,
  clock: { now: () => new Date(time) },
  log: pino({ level: 'silent' }),
};
const { signal } = new AbortController();
const latest = () => db.selectFrom('latest_backup').selectAll().executeTakeFirst();

it('is queued once per interval, by one of the nodes that look at the same time', async () => {
  let sent = 0;
  const queue = {
    started: () => true,
    send: async () => {
      sent += 1;
    },
    wake: () => undefined,
  } as unknown as Queue;
  const look = (nodes = 8, backups = schedule) =>
    Promise.all(Array.from({ length: nodes }, () => makeBackup.queueDue({ ...services, queue, backups })));
  await look();
  expect(sent).toBe(1);
  await look();
  expect(sent).toBe(1);
  await look(1, { ...schedule, everyMs: 0 });
  expect(sent).toBe(2);
});

it('keeps the newest, touches no other file, and removes what a killed node left', async () => {
  const make = async () => {
    time += 3_600_000;
    await makeScheduledBackup(services, schedule, signal);
  };
  await make();
  writeFileSync(join(schedule.folder, 'countersign-20261116T010000Z.backup.partial'), 'half');
  writeFileSync(join(schedule.folder, 'mine.backup'), 'mine');
  // Not ours, in spite of the name; and one from a clock that was ahead.
  writeFileSync(join(schedule.folder, 'countersign-20200101T000000Z.backup'), 'mine');
  mkdirSync(join(schedule.folder, 'countersign-20200102T000000Z.backup'));
  copyFileSync(
    join(schedule.folder, 'countersign-20261116T040000Z.backup'),
    join(schedule.folder, 'countersign-20990101T000000Z.backup'),
  );
  await make();
  schedule.passphrase = { text: 'four words of passphrase', file: undefined };
  writeFileSync(schedule.secretFile, `${'5a'.repeat(32)}\n`);
  await make();
  const newest = 'countersign-20261116T060000Z.backup';
  expect(readdirSync(schedule.folder)).toEqual([
    'countersign-20200101T000000Z.backup',
    'countersign-20200102T000000Z.backup',
    'countersign-20261116T050000Z.backup',
    newest,
    'countersign-20990101T000000Z.backup',
    'mine.backup',
  ]);
  const verified = await verifyBackup(join(schedule.folder, newest), () => undefined);
  expect(verified.header.secret).not.toBeNull();
  expect(await latest()).toMatchObject({ file: join(schedule.folder, newest), problem: null });
});

it('records why it failed, and keeps what there is', async () => {
  const kept = readdirSync(schedule.folder);
  rmSync(schedule.secretFile);
  writeFileSync(schedule.secretFile, 'not a secret');
  time += 3_600_000;
  await expect(makeScheduledBackup(services, schedule, signal)).rejects.toThrow('does not contain a secret');
  expect(await latest()).toMatchObject({ problem: expect.stringContaining('does not contain a secret') });
  expect(readdirSync(schedule.folder)).toEqual(kept);
  expect(existsSync(join(schedule.folder, 'mine.backup'))).toBe(true);
});
