/** Runs the background work of this node: timed jobs, jobs that run on changes, and queued jobs. */

import type { NodeCode } from './features/mirrors/index.ts';
import { createJobs, type JobServices, type TimedJob } from './jobs.ts';
import type { SecretBox } from './platform/core/ports/secret-box.ts';
import type { Log } from './platform/core/telemetry/log.ts';
import type { Clock } from './platform/core/text/clock.ts';
import { inWork, newWork } from './platform/core/work/work.ts';
import type { Connection, Db } from './platform/db/index.ts';
import type { NodeFeed } from './platform/live/index.ts';
import { createQueue } from './platform/queue/index.ts';

/** Changes come in bursts; those within this time are handled together. */
const GATHER_MS = 200;

export interface Worker {
  /** Waits for running jobs to finish. */
  stop(): Promise<void>;
}

export interface WorkerServices {
  connection: Connection;
  db: Db;
  clock: Clock;
  log: Log;
  feed: NodeFeed;
  mirrors: NodeCode;
  secrets: SecretBox;
  codeHosts: JobServices['codeHosts'];
  backups?: JobServices['backups'];
  baseUrl(): string;
  allowPrivateAddresses: boolean;
  models: JobServices['models'];
  singleSignOn?: JobServices['singleSignOn'];
  mail?: JobServices['mail'];
  retention?: JobServices['retention'];
  /** Delay before the queue starts: loading it must not slow down the first requests. */
  queueDelayMs: number;
}

export function startWorker(services: WorkerServices): Worker {
  const { connection, log } = services;
  const queue = createQueue({ connection, log });
  const jobs = createJobs({ ...services, queue });
  const timed = startTimedJobs(jobs.timed, services);
  queue.start(jobs.queued, services.queueDelayMs);
  void queue.whenStarted.then(() => timed.onChange());
  services.feed.onChange(() => timed.onChange());
  let stopping: Promise<unknown> | undefined;
  return {
    async stop() {
      stopping ??= Promise.all([timed.stop(), queue.stop()]);
      await stopping;
    },
  };
}

export interface TimedWork extends Worker {
  /** Something changed: runs the jobs with `onChange` soon. */
  onChange(): void;
}

/** Runs each job now and then at its interval. A job never overlaps itself on a node; a trigger during a run causes one more run afterwards. */
export function startTimedJobs(
  jobs: readonly TimedJob[],
  services: { db: Db; clock: Clock; log: Log },
): TimedWork {
  const loops = jobs.map((job) => startLoop(job, services));
  return {
    onChange: () => {
      for (const loop of loops) loop.onChange();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

function startLoop(job: TimedJob, { clock, db, log }: { db: Db; clock: Clock; log: Log }): TimedWork {
  let running: Promise<void> | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let again = false;
  let stopped = false;

  const run = () => {
    running = inWork(newWork({ job: job.name }), () => job.run(db, clock.now()))
      .catch((error: unknown) =>
        log.error({ job: job.name, err: error }, 'job failed; it will run again at its next interval'),
      )
      .then(() => {
        running = undefined;
        if (again) gather();
      });
  };
  const gather = () => {
    again = running !== undefined;
    if (again || stopped) return;
    gathering ??= setTimeout(() => {
      gathering = undefined;
      if (running) again = true;
      else run();
    }, GATHER_MS);
  };
  const timer = setInterval(() => {
    if (!running) run();
  }, job.everyMs);
  run();

  return {
    onChange: () => {
      if (job.onChange) gather();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      clearTimeout(gathering);
      await running;
    },
  };
}
