/** PostgreSQL 15, the oldest version that Countersign supports, from the operating system's packages. */
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chooseAccount, giveTo } from '../../../src/platform/db/embedded/postgres-account.ts';
import { runProgram, spawnAs } from '../../../src/platform/db/embedded/postgres-programs.ts';
import type { Connection } from '../../../src/platform/db/index.ts';
import { withConnection } from '../../../src/platform/db/index.ts';

/** Where Debian, Ubuntu, Fedora and Homebrew put it; POSTGRES15_BIN names another folder. */
const PLACES = [
  '/usr/lib/postgresql/15/bin',
  '/usr/pgsql-15/bin',
  '/opt/homebrew/opt/postgresql@15/bin',
  '/usr/local/opt/postgresql@15/bin',
];

/** The folder of its programs; undefined if this machine has none. */
export function findPostgres15(): string | undefined {
  const places = process.env.POSTGRES15_BIN ? [process.env.POSTGRES15_BIN] : PLACES;
  return places.find((place) => existsSync(join(place, 'initdb')));
}

/** A throwaway server on a Unix socket; it checks the password, as the embedded one does. */
export async function startPostgres15(
  programs: string,
  settings: Record<string, string> = {},
): Promise<{ connection: Connection; stop(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'countersign-pg15-'));
  const account = chooseAccount(dir);
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(dir, 'password');
  await writeFile(passwordFile, password);
  giveTo(account, dir);
  giveTo(account, passwordFile);
  const cluster = join(dir, 'cluster');
  const made = await runProgram(
    join(programs, 'initdb'),
    [
      ...['-D', cluster, '-U', 'postgres', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
      ...['--auth=scram-sha-256', `--pwfile=${passwordFile}`],
    ],
    { account, cwd: dir },
  );
  if (!made.ok) throw new Error(`initdb failed: ${made.output}`);
  const all = {
    listen_addresses: '',
    unix_socket_directories: dir,
    timezone: 'UTC',
    jit: 'off',
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawnAs(join(programs, 'postgres'), ['-D', cluster, ...args], {
    account,
    cwd: dir,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const exited = new Promise((resolve) => server.once('exit', resolve));
  const connection = { host: dir, port: 5432, user: 'postgres', password, database: 'postgres' };
  const deadline = performance.now() + 30_000;
  while (!(await withConnection(connection, (client) => client.query('SELECT 1')).catch(() => undefined))) {
    if (performance.now() > deadline || server.exitCode !== null)
      throw new Error('PostgreSQL 15 does not start');
    await delay(50);
  }
  return {
    connection,
    async stop() {
      server.kill('SIGINT');
      await exited;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
