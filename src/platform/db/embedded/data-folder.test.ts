/** The data folder belongs to one process at a time, and every reason not to get it is a sentence. */
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import {
  cleanUp,
  type Script,
  smallDisk,
  startScript,
  temporaryFolder,
} from '../../../../test/helpers/processes/real-processes.ts';
import { type Announcement, openDataFolder, readRunningService } from './data-folder.ts';
import { folderFailure } from './data-folder-failure.ts';

const log = pino({ level: 'silent' });
const database = { host: '/somewhere', port: 5432, user: 'u', database: 'd', passwordFile: '/p' };
/** Above what any system gives out, so it is never alive. */
const DEAD_PID = 2 ** 22 + 1;

afterEach(cleanUp);

/** A process that holds the folder; it prints once it has it, and then does what its input says. */
async function startHolder(dir: string, purpose: string, announcement?: Announcement): Promise<Script> {
  const script = startScript(
    `
    import { createInterface } from 'node:readline';
    import { openDataFolder } from ${JSON.stringify(new URL('./data-folder.ts', import.meta.url).href)};
    let folder;
    const announcement = ${JSON.stringify(announcement ?? null)};
    openDataFolder({ dir: ${JSON.stringify(dir)}, purpose: '${purpose}', log: { info() {} } }).then((opened) => {
      folder = opened;
      if (announcement) folder.announce(announcement);
      console.log('held');
    });
    for await (const line of createInterface({ input: process.stdin })) {
      if (line === 'release') folder.release();
      if (line === 'announce') folder.announce(${JSON.stringify({ database })});
      if (line === 'forget') { folder = undefined; for (let i = 0; i < 5; i++) { gc(); await new Promise(setImmediate); } }
      console.log('done');
    }`,
    ['--expose-gc'],
  );
  expect(await script.line()).toBe('held');
  return script;
}

const open = (dir: string, purpose: 'serve' | 'command' = 'serve', waitMs?: number) =>
  openDataFolder({ dir, purpose, log, waitMs });

describe('an unused folder', () => {
  test('is created for its owner only, says who is using it, and is free after release', async () => {
    const dir = join(temporaryFolder(), 'a', 'data');
    const folder = await open(dir);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    folder.announce({ address: 'http://127.0.0.1:1234' });
    folder.announce({ database });
    expect(statSync(join(dir, 'service.json')).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(join(dir, 'service.json'), 'utf8'))).toMatchObject({
      pid: process.pid,
      purpose: 'serve',
      state: 'running',
      address: 'http://127.0.0.1:1234',
      database,
    });
    folder.release();
    folder.release();
    expect(existsSync(join(dir, 'service.json'))).toBe(false);
    (await open(dir)).release();
  });

  test('has no running service, and looking for one creates nothing', async () => {
    const dir = join(temporaryFolder(), 'data');
    expect(await readRunningService(dir)).toBeUndefined();
    expect(existsSync(dir)).toBe(false);
  });
});

describe('a folder in use by a service', () => {
  test('is refused immediately with the process, its address and what to do', async () => {
    const dir = temporaryFolder();
    const holder = await startHolder(dir, 'serve', { address: 'http://127.0.0.1:4000' });
    for (const purpose of ['serve', 'command'] as const) {
      const failure = await open(dir, purpose).catch((error) => error);
      expect(failure).toMatchObject({ name: 'StartFailure', kind: 'data_folder_in_use' });
      expect(failure.message).toContain(`process ${holder.pid}, http://127.0.0.1:4000`);
      expect(failure.message).toContain(dir);
      expect(failure.message).toContain('set DATA_DIR');
    }
    expect(holder.errors(), 'no warning of Node reaches the terminal').toBe('');
  });

  test('gives commands access to its database, even if they ask before it is announced', async () => {
    const dir = temporaryFolder();
    const holder = await startHolder(dir, 'serve');
    const asked = readRunningService(dir);
    holder.send('announce');
    expect(await asked).toMatchObject({ pid: holder.pid, database });
  });

  test('is reported as starting if it never announces itself', async () => {
    const dir = temporaryFolder();
    await startHolder(dir, 'serve');
    await expect(readRunningService(dir, { waitMs: 50 })).rejects.toThrow(/is starting on the data folder/);
  });

  test('is free again after kill -9, and what the killed service announced is ignored', async () => {
    const dir = temporaryFolder();
    const holder = await startHolder(dir, 'serve', { database });
    expect(await readRunningService(dir)).toMatchObject({ pid: holder.pid });
    await holder.kill();
    expect(existsSync(join(dir, 'service.json'))).toBe(true);
    expect(await readRunningService(dir)).toBeUndefined();
    (await open(dir)).release();
  });

  test('stays locked when nothing references the lock and garbage is collected', async () => {
    const dir = temporaryFolder();
    const holder = await startHolder(dir, 'serve');
    holder.send('forget');
    expect(await holder.line()).toBe('done');
    await expect(open(dir)).rejects.toMatchObject({ kind: 'data_folder_in_use' });
  });
});

describe('a folder in use by a command', () => {
  test('is waited for', async () => {
    const dir = temporaryFolder();
    const holder = await startHolder(dir, 'command');
    expect(await readRunningService(dir), 'a command is no service').toBeUndefined();
    const said = new PassThrough();
    const opening = openDataFolder({ dir, purpose: 'serve', log: pino({}, said) });
    expect(String((await once(said, 'data'))[0])).toContain('Waiting for another Countersign command');
    holder.send('release');
    (await opening).release();
  });

  test('is refused when the wait times out', async () => {
    const dir = temporaryFolder();
    const holder = await startHolder(dir, 'command');
    await expect(open(dir, 'serve', 100)).rejects.toThrow(`A Countersign command (process ${holder.pid})`);
  });
});

describe('a lock whose holder has not written service.json yet', () => {
  const stale = JSON.stringify({
    pid: DEAD_PID,
    purpose: 'serve',
    state: 'running',
    startedAt: '',
    database,
  });

  function lockWithoutWord(): { dir: string; lock: DatabaseSync } {
    const dir = temporaryFolder();
    const lock = new DatabaseSync(join(dir, 'lock'));
    lock.exec('BEGIN EXCLUSIVE');
    return { dir, lock };
  }

  test('is not attributed to a dead process that left the file', async () => {
    const { dir, lock } = lockWithoutWord();
    writeFileSync(join(dir, 'service.json'), stale);
    const failure = await open(dir, 'serve', 200).catch((error) => error);
    expect(failure.kind).toBe('data_folder_in_use');
    expect(failure.message).not.toContain(String(DEAD_PID));
    lock.close();
  });

  test('is attributed once the holder has written it', async () => {
    const { dir, lock } = lockWithoutWord();
    writeFileSync(join(dir, 'service.json'), stale);
    const opening = open(dir).catch((error) => error);
    writeFileSync(join(dir, 'service.json'), stale.replace(String(DEAD_PID), String(process.pid)));
    expect((await opening).message).toContain(`process ${process.pid}`);
    lock.close();
  });

  test('is waited for when a power failure left the file empty', async () => {
    const { dir, lock } = lockWithoutWord();
    writeFileSync(join(dir, 'service.json'), '');
    await expect(open(dir, 'serve', 100)).rejects.toMatchObject({ kind: 'data_folder_in_use' });
    lock.close();
  });

  test('is attributed after a while if its process is not visible, as from another container', async () => {
    const { dir, lock } = lockWithoutWord();
    writeFileSync(join(dir, 'service.json'), stale);
    expect(await readRunningService(dir)).toMatchObject({ pid: DEAD_PID, database });
    lock.close();
  });
});

describe('a folder that cannot be used', () => {
  test('because a file has its name', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    for (const dir of [file, join(file, 'data')]) {
      const failure = await open(dir).catch((error) => error);
      expect(failure).toMatchObject({ name: 'StartFailure', kind: 'data_folder_unwritable' });
      expect(failure.message).toContain(dir);
    }
  });

  test('because it is not writable', async () => {
    // Root may write everywhere except to a file system that is mounted for reading only.
    const readOnly = smallDisk('size=100m,ro');
    const dir = readOnly ?? join(temporaryFolder(), 'data');
    if (!readOnly) {
      mkdirSync(dir);
      chmodSync(dir, 0o500);
      expect(process.getuid?.(), 'a root that may not mount cannot run this test').not.toBe(0);
    }
    await expect(open(dir)).rejects.toMatchObject({ kind: 'data_folder_unwritable' });
  });

  test('because the disk is almost full', async () => {
    const dir = smallDisk('size=32m');
    if (dir) {
      const failure = await open(dir).catch((error) => error);
      expect(failure).toMatchObject({ name: 'StartFailure', kind: 'disk_full' });
      expect(failure.message).toMatch(/32 MiB free and needs at least 64 MiB/);
    } else {
      // Without the right to mount, the system's own full device gives the same error.
      const failure = await Promise.try(() => writeFileSync('/dev/full', 'x')).catch((error) => error);
      expect(folderFailure(failure, '/dev/full')).toMatchObject({ kind: 'disk_full' });
    }
  });
});
