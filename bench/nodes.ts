/** Nodes of the service as real processes on one PostgreSQL, for runs that stop, kill and replace them. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createLog } from '../src/platform/core/telemetry/log.ts';
import { startEmbeddedPostgres } from '../src/platform/db/index.ts';
import { freePort } from '../test/helpers/processes/free-port.ts';

export const CHECKOUT = join(import.meta.dirname, '..');
export const PERSON = { email: 'ada@example.com', password: 'correct horse battery' };
const READY_WITHIN_MS = 300_000;
const LOOK_EVERY_MS = 100;

export interface Node {
  url: string;
  child: ChildProcess;
}

export interface Cluster {
  folder: string;
  /** Runs a command with the settings of the nodes and returns what it printed. */
  run(words: string[], options?: { checkout?: string; input?: string }): Promise<string>;
  /** Resolves when it is ready. A worker serves requests too, for its health check. */
  start(options?: { checkout?: string; settings?: Record<string, string> }): Promise<Node>;
  stop(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-nodes-'));
  const postgres = await startEmbeddedPostgres({
    dir: mkdtempSync(join(folder, 'postgres-')),
    log: createLog({ level: 'warn', terminal: false }),
  });
  const { database, host, password, port, user } = postgres.connection;
  const environment = {
    ...process.env,
    DATABASE_URL: `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    SECRET_FILE: join(folder, 'secret.key'),
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
    ALLOW_PRIVATE_ADDRESSES: 'true',
  };
  const nodes = new Set<ChildProcess>();
  return {
    folder,
    async run(words, { checkout = CHECKOUT, input = '' } = {}) {
      const child = spawn(join(checkout, 'bin/countersign'), words, { cwd: folder, env: environment });
      child.stdin.end(input);
      let [said, complained] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text) => {
        said += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text) => {
        complained += text;
      });
      const [code] = await once(child, 'close');
      if (code !== 0) throw new Error(`countersign ${words.join(' ')} failed: ${complained}`);
      return said;
    },
    async start({ checkout = CHECKOUT, settings = {} } = {}) {
      const listen = await freePort();
      const child = spawn(join(checkout, 'bin/countersign'), ['serve', '--port', String(listen)], {
        cwd: folder,
        env: { ...environment, DATA_DIR: mkdtempSync(join(folder, 'data-')), ...settings },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      nodes.add(child);
      child.once('exit', () => nodes.delete(child));
      const url = `http://127.0.0.1:${listen}`;
      const deadline = performance.now() + READY_WITHIN_MS;
      while (!(await isReady(url))) {
        if (child.exitCode !== null || performance.now() > deadline)
          throw new Error(`A node of ${checkout} did not start.`);
        await delay(LOOK_EVERY_MS);
      }
      return { url, child };
    },
    async stop() {
      for (const node of nodes) node.kill('SIGKILL');
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    (reply) => reply.ok,
    () => false,
  );

/** Adds an organization with one person and returns their API key. */
export async function setUp(cluster: Cluster, checkout = CHECKOUT): Promise<string> {
  const words = ['setup', '--organization', 'Acme', '--email', PERSON.email, '--name', 'Ada'];
  await cluster.run(words, { checkout, input: PERSON.password });
  return createKey(cluster, 'load', checkout);
}

export async function createKey(cluster: Cluster, name: string, checkout = CHECKOUT): Promise<string> {
  const said = await cluster.run(['key', 'create', '--email', PERSON.email, '--name', name], { checkout });
  return said.trim();
}

/** A checkout of another commit beside this one. */
export function checkOut(folder: string, commit: string): void {
  execFileSync('git', ['worktree', 'add', '--detach', folder, commit], { cwd: CHECKOUT, stdio: 'ignore' });
}
