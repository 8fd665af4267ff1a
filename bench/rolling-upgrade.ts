/**
 * An upgrade under load: a node of an older commit serves requests while a node of this checkout starts on the same database and
 * migrates it, then both serve, then the old one stops. Counts requests that failed.
 * Run it with `node bench/rolling-upgrade.ts <commit>`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createLog } from '../src/platform/core/log.ts';
import { startEmbeddedPostgres } from '../src/platform/db/index.ts';

const HERE = join(import.meta.dirname, '..');
const CLIENTS = 4;
const PHASE_MS = 8_000;
const READY_WITHIN_MS = 300_000;

const commit = process.argv[2];
if (!commit) throw new Error('Name the older commit: node bench/rolling-upgrade.ts v1.0.0');
const folder = mkdtempSync(join(tmpdir(), 'countersign-upgrade-'));
const old = join(folder, 'old');
const nodes: ChildProcess[] = [];
execFileSync('git', ['worktree', 'add', '--detach', old, commit], { cwd: HERE, stdio: 'ignore' });
symlinkSync(join(HERE, 'node_modules'), join(old, 'node_modules'));
const postgres = await startEmbeddedPostgres({
  dir: mkdtempSync(join(folder, 'postgres-')),
  log: createLog({ level: 'warn', terminal: false }),
});

try {
  const { database, host, password, port, user } = postgres.connection;
  const environment = {
    ...process.env,
    DATABASE_URL: `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    SECRET_FILE: join(folder, 'secret.key'),
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
  };
  const run = (checkout: string, words: string[], input = '') =>
    execFileSync(join(checkout, 'bin/countersign'), words, {
      cwd: folder,
      env: environment,
      input,
      encoding: 'utf8',
    });
  run(
    old,
    ['setup', '--organization', 'Acme', '--email', 'ada@example.com', '--name', 'Ada'],
    'correct horse battery',
  );
  const key = run(old, ['key', 'create', '--email', 'ada@example.com', '--name', 'load']).trim();

  const start = async (checkout: string): Promise<{ url: string; child: ChildProcess }> => {
    const listen = await freePort();
    const dataDir = mkdtempSync(join(folder, 'data-'));
    const child = spawn(join(checkout, 'bin/countersign'), ['serve', '--port', String(listen)], {
      cwd: folder,
      env: { ...environment, DATA_DIR: dataDir },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    nodes.push(child);
    const url = `http://127.0.0.1:${listen}`;
    const deadline = performance.now() + READY_WITHIN_MS;
    while (
      !(await fetch(`${url}/readyz`).then(
        (reply) => reply.ok,
        () => false,
      ))
    ) {
      if (child.exitCode !== null || performance.now() > deadline)
        throw new Error(`${checkout} does not start`);
      await delay(200);
    }
    return { url, child };
  };

  const first = await start(old);
  let targets = [first.url];
  const counts = new Map<string, number>();
  const failures: string[] = [];
  let loading = true;
  const request = async (path: string, body?: unknown): Promise<Record<string, string>> => {
    const url = targets[Math.floor(Math.random() * targets.length)]!;
    counts.set(url, (counts.get(url) ?? 0) + 1);
    try {
      const reply = await fetch(url + path, {
        method: body ? 'POST' : 'GET',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await reply.text();
      if (!reply.ok) failures.push(`${url}${path}: ${reply.status} ${text.slice(0, 300)}`);
      return reply.ok ? JSON.parse(text) : {};
    } catch (error) {
      failures.push(`${url}${path}: ${(error as Error).message}`);
      return {};
    }
  };
  const client = async () => {
    while (loading) {
      const plan = { seriesKey: crypto.randomUUID(), content: '# Plan\n\nSome text.', agentVendor: 'codex' };
      const { seriesId, versionId } = await request('/api/v2/plans', plan);
      if (!seriesId) continue;
      await request(`/api/v2/plans/${seriesId}/comments`, { versionId, body: 'A comment.' });
      await request(`/api/v2/plans/${seriesId}/comments`);
      await request('/api/v2/reviewer/config?repository=acme/none');
      await request('/api/v2/reviewer/reviewers');
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  await delay(PHASE_MS);
  const second = await start(HERE);
  const duringMigration = counts.get(first.url);
  targets = [first.url, second.url];
  await delay(PHASE_MS);
  targets = [second.url];
  await delay(1_000);
  first.child.kill('SIGTERM');
  await once(first.child, 'exit');
  await delay(PHASE_MS);
  loading = false;
  await Promise.all(clients);
  const print = (line: string) => process.stdout.write(`${line}\n`);
  print(
    `requests: ${counts.get(first.url)} to the old node (${duringMigration} before the new one was ready), ${counts.get(second.url)} to the new one`,
  );
  print(`failed: ${failures.length}`);
  for (const failure of new Set(failures)) print(failure);
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  for (const node of nodes) node.kill('SIGKILL');
  await postgres.stop();
  execFileSync('git', ['worktree', 'remove', '--force', old], { cwd: HERE });
  rmSync(folder, { recursive: true, force: true });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
