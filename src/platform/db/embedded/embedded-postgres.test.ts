/** The embedded PostgreSQL starts in an empty folder, keeps committed data, and recovers from every kind of crash. */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  cleanUp,
  remountReadOnly,
  type Script,
  smallDisk,
  startScript,
  temporaryFolder,
} from '../../../../test/helpers/processes/real-processes.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { programFailure } from './postgres-cluster.ts';
import { findPostgresPackage, runProgram } from './postgres-programs.ts';

const log = pino({ level: 'silent' });
const ROOT = process.getuid?.() === 0;
/** Safe when processes are killed, which is all that these tests do; only a power failure needs more. */
const settings = { fsync: 'off', full_page_writes: 'off' };
const started = new Set<EmbeddedPostgres>();
/** Processes that a test leaves behind on purpose; they are killed after it, even if it fails. */
const orphaned = new Set<number>();
let prepared: string;

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

/** Copies of one prepared data folder save each test its own initdb. */
beforeAll(async () => {
  prepared = join(tmpdir(), `cs-prepared-${process.pid}`);
  mkdirSync(prepared);
  const postgres = await startEmbeddedPostgres({ dir: prepared, log, settings });
  await query(postgres, 'CREATE TABLE kept (n int)');
  await postgres.stop();
});
afterAll(() => rmSync(prepared, { recursive: true, force: true }));

afterEach(async () => {
  for (const postgres of started) await postgres.stop();
  started.clear();
  for (const pid of orphaned) if (isPostgres(pid)) process.kill(pid, 'SIGKILL');
  orphaned.clear();
  await cleanUp();
});

function preparedFolder(to = join(temporaryFolder(), 'data')): string {
  cpSync(prepared, to, { recursive: true });
  return to;
}

type Options = Partial<Parameters<typeof startEmbeddedPostgres>[0]>;

async function start(dir: string, options: Options = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dir, log, settings, ...options });
  started.add(postgres);
  return postgres;
}

const startFailure = (dir: string, options: Options = {}) =>
  start(dir, options).then(
    () => expect.fail('it started'),
    (error) => error as { kind: string; message: string },
  );

async function query(postgres: Pick<EmbeddedPostgres, 'connection'>, sql: string): Promise<unknown[][]> {
  const client = new pg.Client(postgres.connection);
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

/** A way in that does not occupy our own database. */
const besides = ({ connection }: EmbeddedPostgres) => ({
  connection: { ...connection, database: 'template1' },
});

function isPostgres(pid: number): boolean {
  try {
    return /postgres|initdb/.test(
      execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }),
    );
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })[0] !== 'Z';
  } catch {
    return false;
  }
}

const childrenOf = (pid: number) =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (parent === pid ? [child!] : []));

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Never became true: ${condition}`);
    await delay(2);
  }
}

/** A Node process that starts PostgreSQL, runs `then` with a connected client and prints the IDs of both processes. */
function startService(dir: string, then = ''): Script {
  return startScript(`
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href)};
    import pg from ${JSON.stringify(new URL('../../../../node_modules/pg/esm/index.mjs', import.meta.url).href)};
    const log = { debug() {}, info() {}, warn() {} };
    const postgres = await startEmbeddedPostgres({ dir: ${JSON.stringify(dir)}, log, settings: ${JSON.stringify(settings)} });
    const client = new pg.Client(postgres.connection);
    await client.connect();
    ${then}
    console.log(JSON.stringify({ pid: postgres.pid, host: postgres.connection.host }));`);
}

const packageCopy = (to: string) => {
  cpSync(findPostgresPackage(), to, { recursive: true, verbatimSymlinks: true });
  return to;
};

describe('from an empty folder', () => {
  test('it starts with our database, with a password, and only on a private socket', async () => {
    const dir = temporaryFolder();
    const postgres = await start(dir);
    const [row] = await query(
      postgres,
      `SELECT current_database(), current_setting('listen_addresses'), current_setting('max_connections'),
              current_setting('jit'), current_setting('fsync'), encoding = 6, datlocprovider, datlocale
       FROM pg_database WHERE datname = current_database()`,
    );
    expect(row).toEqual(['countersign', '', '100', 'off', 'off', true, 'b', 'C.UTF-8']);
    expect(statSync(postgres.connection.host).mode & 0o777).toBe(0o700);
    expect(statSync(postgres.passwordFile).mode & 0o777).toBe(0o600);
    expect(readFileSync(postgres.passwordFile, 'utf8').trim()).toBe(postgres.connection.password);
    expect(readdirSync(dirname(postgres.connection.host)), 'no copy of the password stays').toEqual([
      'socket',
    ]);
    const guess = { connection: { ...postgres.connection, password: 'wrong' } };
    await expect(query(guess, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    const group = execFileSync('ps', ['-o', 'pgid=', '-p', String(postgres.pid)], { encoding: 'utf8' });
    expect(Number(group), 'Ctrl-C must not reach it').toBe(postgres.pid);
  });

  test('an interrupted initdb is started again, after its processes have been ended', async () => {
    const dir = temporaryFolder();
    const service = startService(dir);
    await until(() => existsSync(join(dir, 'postgres.new', 'global')));
    const orphans = childrenOf(service.pid);
    for (const pid of orphans) orphaned.add(pid);
    await service.kill();
    expect(existsSync(join(dir, 'postgres'))).toBe(false);
    const postgres = await start(dir);
    expect(await query(postgres, 'SELECT 1')).toEqual([[1]]);
    expect(existsSync(join(dir, 'postgres.new'))).toBe(false);
    expect(orphans.length).toBeGreaterThan(0);
    expect(orphans.filter(isRunning)).toEqual([]);
  });

  test('a missing database, as after a crash right after initdb, is created at the next start', async () => {
    const dir = preparedFolder();
    const first = await start(dir);
    await query(besides(first), 'ALTER DATABASE countersign RENAME TO postgres');
    await first.stop();
    const second = await start(dir);
    expect(await query(second, 'SELECT count(*)::int FROM kept'), 'the empty one of initdb is used').toEqual([
      [0],
    ]);
    await query(besides(second), 'DROP DATABASE countersign');
    await second.stop();
    expect(await query(await start(dir), 'SELECT current_database()')).toEqual([['countersign']]);
  });

  test('leftovers of an earlier attempt are ignored', async () => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, 'postgres.new', 'base'), { recursive: true });
    writeFileSync(join(dir, 'postgres.new', 'PG_VERSION'), '18\n');
    expect(await query(await start(dir), 'SELECT 1')).toEqual([[1]]);
  });
});

describe('stop', () => {
  test('keeps the data, removes the runtime folder, reports an expected exit, and may be called twice', async () => {
    const dir = preparedFolder();
    writeFileSync(join(dir, 'postgres.log'), Buffer.alloc(11 * 1024 * 1024, 'x'));
    const first = await start(dir);
    expect(statSync(join(dir, 'postgres.log')).size, 'a long log is rotated').toBeLessThan(10_000);
    await query(first, 'INSERT INTO kept VALUES (42)');
    await Promise.all([first.stop(), first.stop()]);
    expect(await first.exited).toMatchObject({ expected: true, code: 0 });
    expect(existsSync(dirname(first.connection.host))).toBe(false);
    expect(isRunning(first.pid)).toBe(false);
    expect(await query(await start(dir), 'SELECT n FROM kept')).toEqual([[42]]);
  });

  test('during recovery ends the server and reports no failure', async () => {
    const dir = preparedFolder();
    // Archive recovery that waits for its next file keeps the server in the same state as a long crash recovery.
    writeFileSync(join(dir, 'postgres', 'recovery.signal'), '');
    const waiting = { ...settings, restore_command: 'sleep 60', hot_standby: 'off' };
    const stopping = new AbortController();
    const lines: string[] = [];
    const recovering = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const starting = startEmbeddedPostgres({
      dir,
      log: recovering,
      settings: waiting,
      stopped: stopping.signal,
    });
    starting.catch(() => undefined);
    await vi.waitUntil(() => lines.length > 0, { timeout: 20_000 });
    stopping.abort(new Error('stopped by SIGTERM'));
    await expect(starting).rejects.toThrow('stopped by SIGTERM');
    expect(existsSync(join(dir, 'postgres', 'postmaster.pid'))).toBe(false);
    expect(lines.map((line) => JSON.parse(line).level)).toEqual([30]);
  });

  test('an exit that was not requested is reported, with the code or signal', async () => {
    const postgres = await start(preparedFolder());
    process.kill(postgres.pid, 'SIGKILL');
    expect(await postgres.exited).toMatchObject({ expected: false, signal: 'SIGKILL' });
  });
});

describe('after kill -9 of the service', () => {
  test('the next start ends the orphan, removes its folder and keeps every committed row', async () => {
    const dir = preparedFolder();
    const service = startService(
      dir,
      `await client.query('INSERT INTO kept SELECT generate_series(1, 1000)');`,
    );
    const orphan = JSON.parse(await service.line());
    orphaned.add(orphan.pid);
    await service.kill();
    expect(isRunning(orphan.pid), 'PostgreSQL outlives the service').toBe(true);
    const postgres = await start(dir);
    expect(await query(postgres, 'SELECT count(*)::int FROM kept')).toEqual([[1000]]);
    expect(isRunning(orphan.pid)).toBe(false);
    expect(existsSync(dirname(orphan.host))).toBe(false);
  });

  test('and of PostgreSQL, a busy backend is ended too', async () => {
    const dir = preparedFolder();
    const service = startService(
      dir,
      `await client.query('INSERT INTO kept VALUES (7)');
       client.on('error', () => {});
       client.query('DO $$ BEGIN LOOP END LOOP; END $$').catch(() => {});
       const { rows } = await new Promise(async (done) => {
         const second = new pg.Client(postgres.connection);
         await second.connect();
         for (;;) {
           const found = await second.query("SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'DO %'");
           if (found.rows.length > 0) return done(found);
         }
       });
       console.log(rows[0].pid);`,
    );
    const backend = Number(await service.line());
    orphaned.add(backend);
    const orphan = JSON.parse(await service.line());
    orphaned.add(orphan.pid);
    await service.kill();
    process.kill(orphan.pid, 'SIGKILL');
    expect(isRunning(backend)).toBe(true);
    expect(await query(await start(dir), 'SELECT n FROM kept')).toEqual([[7]]);
    expect(isRunning(backend)).toBe(false);
  });

  test('a program that reuses the process ID of the old PostgreSQL is left alone and does not prevent the start', async () => {
    const dir = preparedFolder();
    // Named like PostgreSQL's account where we are root, because only a process it may signal deceives PostgreSQL.
    const owner = ROOT ? statSync(join(prepared, 'postgres')) : undefined;
    const bystander = spawn('sleep', ['600'], owner && { uid: owner.uid, gid: owner.gid });
    writeFileSync(
      join(dir, 'postgres', 'postmaster.pid'),
      `${bystander.pid}\n/proc/self/cwd\n1\n5432\n/tmp\n\n  1 1\n`,
    );
    try {
      expect(await query(await start(dir), 'SELECT 1')).toEqual([[1]]);
      expect(isRunning(bystander.pid!)).toBe(true);
    } finally {
      bystander.kill('SIGKILL');
    }
  });
});

describe('programs and folders that PostgreSQL cannot access in place', () => {
  test('a data folder and a package in inaccessible folders work, as root with an unprivileged PostgreSQL', async () => {
    const closed = temporaryFolder();
    chmodSync(closed, 0o700);
    const dir = join(closed, 'data');
    mkdirSync(dir, { mode: 0o700 });
    const packageFolder = packageCopy(join(closed, 'package'));
    for (const round of ['new', 'existing']) {
      const postgres = await start(dir, { packageFolder });
      expect(await query(postgres, 'SELECT 1'), round).toEqual([[1]]);
      const uid = Number(
        execFileSync('ps', ['-o', 'uid=', '-p', String(postgres.pid)], { encoding: 'utf8' }),
      );
      if (ROOT) {
        expect(uid).not.toBe(0);
        expect(readlinkSync(`/proc/${postgres.pid}/exe`)).toContain(dirname(postgres.connection.host));
        expect(statSync(dir).uid, 'only the cluster changes hands').toBe(0);
      } else {
        expect(uid).toBe(process.getuid?.());
      }
      await postgres.stop();
    }
  });

  test('a cluster that root restored from a copy is changed to the right owner', async () => {
    const dir = preparedFolder();
    const before = statSync(join(dir, 'postgres')).uid;
    expect(before, 'a copy belongs to who copied it').toBe(process.getuid?.());
    await start(dir);
    const after = statSync(join(dir, 'postgres', 'base')).uid;
    if (ROOT) expect(after).not.toBe(0);
    else expect(after).toBe(before);
  });

  test('library links that no install script created are created in place', async () => {
    const packageFolder = packageCopy(join(temporaryFolder(), 'package'));
    chmodSync(dirname(packageFolder), 0o755);
    const links = removeLinks(packageFolder);
    const postgres = await start(preparedFolder(), { packageFolder });
    expect(await query(postgres, 'SELECT 1')).toEqual([[1]]);
    for (const link of links) expect(existsSync(link), link).toBe(true);
    expect(readdirSync(dirname(postgres.connection.host))).toEqual(['socket']);
  });

  test('if links cannot be created in place, a copy of the programs has them', async () => {
    const disk = smallDisk('size=200m,mode=0755');
    const packageFolder = packageCopy(join(disk ?? temporaryFolder(), 'package'));
    const links = removeLinks(packageFolder);
    const library = join(packageFolder, 'native', 'lib');
    if (disk) remountReadOnly(disk);
    else chmodSync(library, 0o500);
    const postgres = await start(preparedFolder(), { packageFolder });
    expect(await query(postgres, 'SELECT 1')).toEqual([[1]]);
    expect(readdirSync(dirname(postgres.connection.host))).toContain('native');
    if (!disk) chmodSync(library, 0o700);
    expect(existsSync(links[0]!)).toBe(false);
  });

  test('a place that is too long, missing or mounted noexec is skipped', async () => {
    const closed = temporaryFolder();
    const long = join(temporaryFolder(), 'long'.repeat(30));
    mkdirSync(long);
    const unfit = [long, join(closed, 'missing'), smallDisk('size=200m,noexec,mode=1777')].filter(
      (p) => p !== undefined,
    );
    const packageFolder = packageCopy(join(closed, 'package'));
    if (!ROOT) {
      removeLinks(packageFolder); // As an ordinary user, what makes a copy necessary is a folder closed for writing.
      chmodSync(join(packageFolder, 'native', 'lib'), 0o500);
    }
    const postgres = await start(preparedFolder(), { packageFolder, runtimePlaces: [...unfit, '/var/tmp'] });
    expect(dirname(postgres.connection.host)).toMatch(/^\/var\/tmp\/countersign-/);
    for (const place of [long, ...unfit.slice(2)])
      expect(readdirSync(place), 'tries leave nothing').toEqual([]);
    const failure = await startFailure(preparedFolder(), { packageFolder, runtimePlaces: unfit });
    expect(failure.kind).toBe('postgres_not_starting');
    expect(failure.message).toMatch(/too long for a socket.*set DATABASE_URL/s);
    if (!ROOT) chmodSync(join(packageFolder, 'native', 'lib'), 0o700);
  });

  function removeLinks(packageFolder: string): string[] {
    const list = readFileSync(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8');
    const links = (JSON.parse(list) as { target: string }[]).map(({ target }) => join(packageFolder, target));
    for (const link of links) rmSync(link, { force: true });
    expect(links.length).toBeGreaterThan(0);
    return links;
  }
});

describe('a failed start says why and what to do, and leaves nothing running', () => {
  test.each([
    ['17\n', /written by PostgreSQL 17, but this version of Countersign includes PostgreSQL 18/],
    ['\u0000\u0001rubbish', /PG_VERSION file is damaged/],
    [undefined, /PG_VERSION file is missing/],
  ])('a cluster whose PG_VERSION is %j', async (version, sentence) => {
    const dir = preparedFolder();
    const file = join(dir, 'postgres', 'PG_VERSION');
    if (version === undefined) rmSync(file);
    else writeFileSync(file, version);
    const failure = await startFailure(dir);
    expect(failure).toMatchObject({ name: 'StartFailure', kind: 'postgres_not_starting' });
    expect(failure.message).toMatch(sentence);
    expect(existsSync(join(dir, 'runtime-folder'))).toBe(false);
  });

  test('a server that exits immediately: the last lines of its log', async () => {
    const dir = preparedFolder();
    const failure = await startFailure(dir, { settings: { ...settings, shared_buffers: 'many' } });
    expect(failure.kind).toBe('postgres_not_starting');
    expect(failure.message).toMatch(/invalid value for parameter "shared_buffers".*set DATABASE_URL/s);
    expect(existsSync(join(dir, 'runtime-folder'))).toBe(false);
    expect(existsSync(join(dir, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  test('a password file that is missing or belongs to another cluster', async () => {
    const dir = preparedFolder();
    writeFileSync(join(dir, 'database-password'), 'another\n');
    expect((await startFailure(dir)).message).toMatch(/rejects the password in .*database-password/);
    expect(existsSync(join(dir, 'postgres', 'postmaster.pid')), 'it was stopped again').toBe(false);
    rmSync(join(dir, 'database-password'));
    expect((await startFailure(dir)).message).toMatch(/database-password is gone or empty/);
  });

  test('a data folder that is not writable', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect((await startFailure(file)).kind).toBe('data_folder_unwritable');
  });

  test('a disk too small for a new cluster', async () => {
    const dir = smallDisk('size=12m');
    if (!dir) return await expectFullDevice();
    const failure = await startFailure(dir);
    expect(failure).toMatchObject({ name: 'StartFailure', kind: 'disk_full' });
    expect(failure.message).toMatch(/No space left on device/);
    expect(existsSync(join(dir, 'postgres'))).toBe(false);
    expect(existsSync(join(dir, 'postgres.new')), 'the half-made cluster is removed').toBe(false);
  });

  test('a disk that is full when an existing cluster starts', async () => {
    const disk = smallDisk('size=120m');
    if (!disk) return await expectFullDevice();
    const dir = preparedFolder(join(disk, 'data'));
    const filling = join(disk, 'filling');
    // With nothing left our own first write fails, with a little more the server does.
    for (const [leftBlocks, sentence] of [
      [0, /The operating system reports ENOSPC/],
      [1, /exited during startup/],
    ] as const) {
      const { bavail, bsize } = statfsSync(disk);
      writeFileSync(filling, Buffer.alloc((bavail - leftBlocks) * bsize));
      const failure = await startFailure(dir);
      expect(failure.kind).toBe('disk_full');
      expect(failure.message).toMatch(sentence);
      rmSync(filling);
    }
    expect(await query(await start(dir), 'SELECT 1'), 'once there is room it starts').toEqual([[1]]);
    for (const postgres of started) await postgres.stop();
  });

  /** Without the right to mount, a program that writes to the system's own full device fails in the same words. */
  async function expectFullDevice(): Promise<void> {
    const { ok, output } = await runProgram('/bin/sh', ['-c', 'cat /etc/passwd > /dev/full'], {
      account: undefined,
      cwd: '/',
    });
    expect(ok).toBe(false);
    expect(programFailure(tmpdir(), 'It failed.', output)).toMatchObject({ kind: 'disk_full' });
  }

  test('a missing package with the programs', async () => {
    // A copy of the files that find it, far from any node_modules.
    const away = temporaryFolder();
    const source = dirname(dirname(import.meta.dirname));
    const failure = join('core', 'errors', 'start-failure.ts');
    cpSync(join(source, failure), join(away, failure));
    cpSync(join(source, 'db', 'embedded'), join(away, 'db', 'embedded'), { recursive: true });
    const script = startScript(`
      import { findPostgresPackage } from ${JSON.stringify(join(away, 'db', 'embedded', 'postgres-programs.ts'))};
      try { findPostgresPackage(); } catch (error) { console.log(error.kind, error.message); }`);
    expect(await script.line()).toMatch(/^postgres_not_starting .*optional dependencies.*DATABASE_URL/);
  });
});
