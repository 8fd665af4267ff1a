/** The worker: runs each job when it starts, at its times and on changes, goes on after a failure, and stops cleanly. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase } from '../test/helpers/database/database.ts';
import { startTestMirrors } from '../test/helpers/git/mirrors.ts';
import { testSecrets } from '../test/helpers/service/secrets.ts';
import { createCodeHosts, systemEnvironment } from './features/code-hosts/index.ts';
import { createLog } from './platform/core/telemetry/log.ts';
import { NodeState } from './platform/core/work/node-state.ts';
import { openDatabase } from './platform/db/index.ts';
import { createChangeFeed } from './platform/live/index.ts';
import type { TimedJob } from './platform/queue/index.ts';
import { startTimedJobs, startWorker } from './worker.ts';

const database = await openDatabase(await createTestDatabase(), {
  poolSize: 4,
  onConnectionLost: () => undefined,
});
const { db } = database;
const mirrors = startTestMirrors({ db });
const NOW = new Date('2026-11-15T12:00:00.000Z');
const lines: string[] = [];
const services = {
  db,
  clock: { now: () => NOW },
  log: createLog({ level: 'info', terminal: false, destination: { write: (line) => void lines.push(line) } }),
};

beforeEach(() => {
  lines.length = 0;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => database.close());

/** A job that records when it runs and ends on request. */
function watchedJob(onChange = false) {
  const runs: Date[] = [];
  let current = Promise.withResolvers<void>();
  const job: TimedJob = {
    name: 'watched',
    everyMs: 1000,
    onChange,
    run: (_db, now) => {
      runs.push(now);
      current = Promise.withResolvers<void>();
      return current.promise;
    },
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    job,
    runs,
    async end() {
      current.resolve();
      await settled();
    },
    async fail() {
      current.reject(new Error('no luck'));
      await settled();
    },
  };
}

describe('the worker', () => {
  it('runs a job at the start and then at its times, with the time of its clock', async () => {
    const { end, job, runs } = watchedJob();
    const worker = startTimedJobs([job], services);
    expect(runs).toEqual([NOW]);
    await end();
    vi.advanceTimersByTime(1000);
    expect(runs).toHaveLength(2);
    await end();
    vi.advanceTimersByTime(999);
    expect(runs).toHaveLength(2);
    await worker.stop();
  });

  it('never runs a job beside itself', async () => {
    const { end, job, runs } = watchedJob(true);
    const worker = startTimedJobs([job], services);
    vi.advanceTimersByTime(5000);
    worker.onChange();
    vi.advanceTimersByTime(300);
    expect(runs).toHaveLength(1);
    await end();
    await worker.stop();
  });

  it('logs a failure and tries again at the next time', async () => {
    const { end, fail, job, runs } = watchedJob();
    const worker = startTimedJobs([job], services);
    await fail();
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'error',
      job: 'watched',
      err: { message: 'no luck' },
    });
    vi.advanceTimersByTime(1000);
    expect(runs).toHaveLength(2);
    await end();
    await worker.stop();
  });

  it('runs a job soon after changes, once for many, and once more for those that came while it ran', async () => {
    const { end, job, runs } = watchedJob(true);
    const worker = startTimedJobs([job], services);
    await end();
    for (let count = 0; count < 50; count += 1) worker.onChange();
    vi.advanceTimersByTime(200);
    expect(runs).toHaveLength(2);
    for (let count = 0; count < 50; count += 1) worker.onChange();
    vi.advanceTimersByTime(300);
    expect(runs).toHaveLength(2);
    await end();
    vi.advanceTimersByTime(200);
    expect(runs).toHaveLength(3);
    await end();
    vi.advanceTimersByTime(200);
    expect(runs).toHaveLength(3);
    await worker.stop();
  });

  it('does not run a job on changes that do not concern it', async () => {
    const { end, job, runs } = watchedJob();
    const worker = startTimedJobs([job], services);
    await end();
    worker.onChange();
    vi.advanceTimersByTime(999);
    expect(runs).toHaveLength(1);
    await worker.stop();
  });

  it('waits for what is under way when it is stopped, and starts nothing more', async () => {
    const { end, job, runs } = watchedJob(true);
    const worker = startTimedJobs([job], services);
    worker.onChange();
    const stopping = worker.stop().then(() => 'stopped');
    const nextTurn = new Promise((resolve) => setImmediate(resolve, 'still waiting'));
    expect(await Promise.race([stopping, nextTurn])).toBe('still waiting');
    await end();
    expect(await stopping).toBe('stopped');
    worker.onChange();
    vi.advanceTimersByTime(5000);
    expect(runs).toHaveLength(1);
  });
});

describe('the whole of it', () => {
  it('runs on an empty database, on several nodes at once, and stops at any moment', async () => {
    vi.useRealTimers();
    const feed = createChangeFeed({ connection: database.connection, db, log: services.log });
    const start = () =>
      startWorker({
        ...services,
        connection: database.connection,
        feed,
        mirrors,
        secrets: testSecrets,
        codeHosts: createCodeHosts(systemEnvironment(false)),
        state: new NodeState({ db, secrets: testSecrets }),
        baseUrl: () => 'http://countersign.test',
        allowPrivateAddresses: false,
        models: undefined,
        queueDelayMs: 0,
      });
    const workers = Array.from({ length: 4 }, start);
    feed.announce('something');
    await Promise.all(workers.map((worker) => worker.stop()));
    const later = start();
    await vi.waitFor(
      async () => {
        const { rows } = await sql`SELECT FROM pg_namespace WHERE nspname = 'pgboss'`.execute(db);
        expect(rows).toHaveLength(1);
      },
      { timeout: 20_000 },
    );
    await later.stop();
    await feed.close();
    expect(lines).toEqual([]);
  });
});
