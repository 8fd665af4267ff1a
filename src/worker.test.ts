/** The worker: runs each job when it starts and at its times, goes on after a failure, and stops cleanly. */
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { createLog } from './core/log.ts';
import { openDatabase } from './db/index.ts';
import { type Job, jobs } from './jobs.ts';
import { startWorker } from './worker.ts';

const database = await openDatabase(await createTestDatabase(), {
  poolSize: 4,
  onConnectionLost: () => undefined,
});
const { db } = database;
const NOW = new Date('2026-11-15T12:00:00.000Z');
const lines: string[] = [];
const services = {
  db,
  clock: { now: () => NOW },
  log: createLog({ level: 'info', terminal: false, destination: { write: (line) => void lines.push(line) } }),
};

beforeEach(() => {
  lines.length = 0;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => database.close());

/** A job that notes when it runs and ends when it is told to. */
function watchedJob(everyMs: number) {
  const runs: Date[] = [];
  const running: PromiseWithResolvers<void>[] = [];
  const job: Job = {
    name: 'watched',
    everyMs,
    run: (_db, now) => {
      runs.push(now);
      const run = Promise.withResolvers<void>();
      running.push(run);
      return run.promise;
    },
  };
  return {
    job,
    runs,
    end: () => running.forEach((run) => void run.resolve()),
    fail: () => running.forEach((run) => void run.reject(new Error('no luck'))),
  };
}

describe('the worker', () => {
  it('runs a job at the start and then at its times, with the time of its clock', async () => {
    const { end, job, runs } = watchedJob(1000);
    const worker = startWorker([job], services);
    expect(runs).toEqual([NOW]);
    vi.advanceTimersByTime(2000);
    expect(runs).toHaveLength(3);
    vi.advanceTimersByTime(999);
    expect(runs).toHaveLength(3);
    end();
    await worker.stop();
  });

  it('logs a failure and tries again at the next time', async () => {
    const { end, fail, job, runs } = watchedJob(1000);
    const worker = startWorker([job], services);
    fail();
    await vi.waitFor(() => expect(lines.join('')).toContain('job failed'));
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'error',
      job: 'watched',
      err: { message: 'no luck' },
    });
    vi.advanceTimersByTime(1000);
    expect(runs).toHaveLength(2);
    end();
    await worker.stop();
  });

  it('waits for what is under way when it is stopped, and starts nothing more', async () => {
    const { end, job, runs } = watchedJob(1000);
    const worker = startWorker([job], services);
    const stopping = worker.stop().then(() => 'stopped');
    const nextTurn = new Promise((resolve) => setImmediate(resolve, 'still waiting'));
    expect(await Promise.race([stopping, nextTurn])).toBe('still waiting');
    end();
    expect(await stopping).toBe('stopped');
    vi.advanceTimersByTime(5000);
    expect(runs).toHaveLength(1);
  });
});

describe('every job', () => {
  it('has a name of its own and runs on an empty database, also on several nodes at once', async () => {
    expect(new Set(jobs.map(({ name }) => name)).size).toBe(jobs.length);
    const workers = Array.from({ length: 4 }, () => startWorker(jobs, services));
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(lines).toEqual([]);
  });
});
