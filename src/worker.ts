/** Runs the jobs at their times. Each may run on several nodes at once, so each must bear being run twice. */
import type { Clock } from './core/clock.ts';
import type { Log } from './core/log.ts';
import type { Db } from './db/index.ts';
import type { Job } from './jobs.ts';

export interface Worker {
  /** Waits for what is under way. */
  stop(): Promise<void>;
}

export function startWorker(jobs: readonly Job[], services: { db: Db; clock: Clock; log: Log }): Worker {
  const { clock, db, log } = services;
  const underWay = new Set<Promise<void>>();
  const run = (job: Job) => {
    const work = job
      .run(db, clock.now())
      .catch((error: unknown) =>
        log.error({ job: job.name, err: error }, 'job failed; it is tried again at its next time'),
      )
      .finally(() => underWay.delete(work));
    underWay.add(work);
  };
  const timers = jobs.map((job) => {
    run(job);
    return setInterval(run, job.everyMs, job);
  });
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}
