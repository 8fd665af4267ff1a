/**
 * Backup and restore of 1 GB, against pg_dump and pg_restore of PostgreSQL 15 on the same server, one job, the same compression.
 * Run it with `node bench/backup.ts [megabytes]`. Needs PostgreSQL 15 (`apt-get install postgresql-15 zstd`).
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkBackup, restoreBackup, writeBackup } from '../src/platform/backup/index.ts';
import { createLog } from '../src/platform/core/telemetry/log.ts';
import { type Connection, migrate, withConnection } from '../src/platform/db/index.ts';
import { findPostgres15, startPostgres15 } from '../test/helpers/database/postgres-15.ts';

const megabytes = Number(process.argv[2] ?? 1000);
const programs = findPostgres15();
if (!programs) throw new Error('PostgreSQL 15 is not installed.');
const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-backup-'));
const server = await startPostgres15(programs, { shared_buffers: '256MB', max_wal_size: '4GB' });
const { signal } = new AbortController();

try {
  const source = await createDatabase('source');
  await migrate(source, createLog({ level: 'warn', terminal: false }));
  await fill(source);
  await run(server.connection, 'CHECKPOINT');
  const host = ['-h', server.connection.host, '-U', 'postgres'];
  const dump = join(folder, 'dump.zst');
  const backup = join(folder, 'everything.backup');

  let memory = process.memoryUsage().rss;
  const watching = setInterval(() => {
    memory = Math.max(memory, process.memoryUsage().rss);
  }, 100);
  const backups = await compare(
    async () => {
      rmSync(dump, { force: true });
      return timed(() =>
        shell(`${programs}/pg_dump ${host.join(' ')} -Fc -Z0 source | zstd -q -3 -o ${dump}`),
      );
    },
    async () => {
      rmSync(backup, { force: true });
      return timed(() => writeBackup({ connection: source, file: backup, secret: null, signal }));
    },
  );
  const gzipped = await timed(() =>
    shell(`${programs}/pg_dump ${host.join(' ')} -Fc source > ${join(folder, 'dump.gz')}`),
  );
  let verifying = 0;
  const restores = await compare(
    async () => {
      const { database } = await createDatabase('restored');
      return timed(() =>
        shell(`zstd -q -dc ${dump} | ${programs}/pg_restore ${host.join(' ')} -1 -d ${database}`),
      );
    },
    async () => {
      const target = await createDatabase('restored');
      return timed(async () => {
        const start = performance.now();
        const verified = await checkBackup(backup, () => undefined);
        verifying = performance.now() - start;
        await restoreBackup({
          connection: target,
          file: backup,
          verified,
          signal,
          onProgress: () => undefined,
          beforeCommit: async () => undefined,
        });
      });
    },
  );
  clearInterval(watching);
  const size = (file: string) => `${(statSync(file).size / 1e6).toFixed(0)} MB`;
  const seconds = (value: number) => `${(value / 1000).toFixed(1)} s`;
  const [row] = await run(source, 'SELECT pg_database_size(current_database())::float8 AS bytes');
  print(`database on disk: ${(Number(row!.bytes) / 1e6).toFixed(0)} MB`);
  const listed = (values: number[]) => values.map(seconds).join(' and ');
  const times = ({ ours, theirs }: Compared) =>
    ((ours[0]! + ours[1]!) / (theirs[0]! + theirs[1]!)).toFixed(2);
  print(
    `pg_dump | zstd -3: ${listed(backups.theirs)}, ${size(dump)}; pg_dump with gzip: ${seconds(gzipped)}`,
  );
  print(`countersign backup: ${listed(backups.ours)}, ${size(backup)}: ${times(backups)} of pg_dump`);
  print(`zstd | pg_restore -1: ${listed(restores.theirs)}`);
  print(
    `countersign restore: ${listed(restores.ours)}, of which ${seconds(verifying)} to check the file: ${times(restores)} of pg_restore`,
  );
  print(`memory of this process at most: ${(memory / 1e6).toFixed(0)} MB`);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface Compared {
  ours: number[];
  theirs: number[];
}

/** Theirs, ours, ours, theirs: other work on the machine that grows or falls meanwhile affects both. Each returns its time. */
async function compare(theirs: () => Promise<number>, ours: () => Promise<number>): Promise<Compared> {
  const first = await theirs();
  const both = [await ours(), await ours()];
  return { ours: both, theirs: [first, await theirs()] };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function shell(script: string): Promise<void> {
  execFileSync('/bin/bash', ['-o', 'pipefail', '-c', script], {
    stdio: 'inherit',
    env: { ...process.env, PGPASSWORD: server.connection.password },
  });
}

async function createDatabase(name: string): Promise<Connection> {
  await run(server.connection, `DROP DATABASE IF EXISTS ${name}`);
  await run(server.connection, `CREATE DATABASE ${name}`);
  await run(server.connection, 'CHECKPOINT');
  return { ...server.connection, database: name };
}

async function run(connection: Connection, sql: string): Promise<Record<string, unknown>[]> {
  return withConnection(connection, async (client) => (await client.query(sql)).rows);
}

/** Text that hardly compresses, as identifiers and hashes do; SQL that PostgreSQL evaluates for each row. */
function noise(row: string, words: number): string {
  return `(SELECT string_agg(md5(${row}::text || w || random()), '') FROM generate_series(1, ${words}) w)`;
}

/** Two thirds in plans of some kilobytes, one third in short rows with three indexes; texts are cut from our own documents. */
async function fill(connection: Connection): Promise<void> {
  const docs = join(import.meta.dirname, '..', 'docs');
  const corpus = readdirSync(docs)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(docs, name), 'utf8'))
    .join('\n');
  const plans = Math.round((megabytes * 1e6 * 0.66) / 8000);
  const audits = Math.round((megabytes * 1e6 * 0.34) / 700);
  await withConnection(connection, async (client) => {
    const slices = Array.from({ length: 1000 }, (_, n) =>
      corpus.slice((n * 131) % (corpus.length - 6000)).slice(0, 6000),
    );
    await client.query(
      'CREATE TEMP TABLE slices AS SELECT text, number FROM unnest($1::text[]) WITH ORDINALITY AS s (text, number)',
      [slices],
    );
    await client.query(`
      INSERT INTO organizations (id, name, created_at) SELECT gen_random_uuid(), 'Acme', now();
      INSERT INTO users (id, email, name, password_hash, created_at, password_changed_at)
      SELECT gen_random_uuid(), 'user' || n || '@example.com', 'User', 'x', now(), now() FROM generate_series(1, 1000) n;
      CREATE TEMP TABLE people AS SELECT id, row_number() OVER () AS n FROM users;
      CREATE TEMP TABLE made AS SELECT gen_random_uuid() AS plan, gen_random_uuid() AS version, n FROM generate_series(1, ${plans}) n;
      INSERT INTO plans (id, organization_id, series_id, status, title, agent_vendor, created_by, created_at, updated_at, version,
        content_since, last_event, comment_count)
      SELECT plan, (SELECT id FROM organizations), gen_random_uuid(), 'pending', 'Plan', 'codex', p.id, now(), now(), 1, 1, 0, 0
      FROM made m JOIN people p ON p.n = 1 + m.n % 1000;
      INSERT INTO plan_versions (id, plan_id, organization_id, version, title, content, unchanged, author_id, author_kind, agent_vendor, created_at)
      SELECT version, plan, (SELECT id FROM organizations), 1, 'Plan',
        s.text || ${noise('m.n', 60)}, false, p.id, 'key', 'codex', now()
      FROM made m JOIN people p ON p.n = 1 + m.n % 1000 JOIN slices s ON s.number = 1 + m.n % 1000;
      INSERT INTO audit_events (id, organization_id, created_at, action, actor_kind, actor_user_id, subject_name, detail)
      SELECT gen_random_uuid(), (SELECT id FROM organizations), now() - g.number * interval '1 second', 'key.created', 'session', p.id, 'CI',
        jsonb_build_object('text', left(s.text, 400) || ${noise('g.number', 3)})
      FROM generate_series(1, ${audits}) AS g (number) JOIN people p ON p.n = 1 + g.number % 1000 JOIN slices s ON s.number = 1 + g.number % 1000`);
  });
}
