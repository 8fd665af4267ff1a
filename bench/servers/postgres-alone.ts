/** P12's reference: initdb and a start of PostgreSQL without the service; prints the duration in seconds. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findPostgresPackage } from '../../src/platform/db/embedded/postgres-programs.ts';

const NOBODY = 65_534;

const dir = process.argv[2]!;
const cluster = join(dir, 'cluster');
const programs = join(findPostgresPackage(), 'native', 'bin');
const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
chmodSync(dir, 0o755);
mkdirSync(cluster);
if (account.uid) chownSync(cluster, account.uid, account.gid);

const started = performance.now();
execFileSync(
  join(programs, 'initdb'),
  ['-D', cluster, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--no-locale'],
  {
    ...account,
    stdio: 'ignore',
  },
);
const server = spawn(
  join(programs, 'postgres'),
  ['-D', cluster, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${cluster}`],
  { ...account, stdio: 'ignore' },
);
for (;;) {
  const client = new pg.Client({ host: cluster, user: 'bench', database: 'postgres' });
  try {
    await client.connect();
    process.stdout.write(`${(performance.now() - started) / 1000}\n`);
    await client.end();
    break;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
server.kill('SIGINT');
await once(server, 'exit');
