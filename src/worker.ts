/** Runs the background work of this node: timed jobs, jobs that run on changes, and queued jobs. */

import { lockIdleCodeHosts, type SyncServices } from './features/code-hosts/index.ts';
import { createEventOutbox } from './features/events/index.ts';
import { notifyPeople } from './features/inbox/index.ts';
import { mailMaker } from './features/mail/index.ts';
import type { NodeCode } from './features/mirrors/index.ts';
import { lockIdlePlans } from './features/plans/index.ts';
import { createPlainGitFollower, lockIdlePullRequests } from './features/pull-requests/index.ts';
import { createIdentityProviders, type EnvironmentSingleSignOn } from './features/single-sign-on/index.ts';
import { deliveryMaker } from './features/webhooks/index.ts';
import { jobs } from './jobs.ts';
import type { BackupSchedule } from './platform/backup/index.ts';
import type { MailServer } from './platform/core/ports/mail-server.ts';
import type { ConfiguredModels } from './platform/core/ports/model-endpoint.ts';
import { DEFAULT_RETENTION, type Retention } from './platform/core/ports/retention.ts';
import type { SecretBox } from './platform/core/ports/secret-box.ts';
import type { Log } from './platform/core/telemetry/log.ts';
import type { Clock } from './platform/core/text/clock.ts';
import type { NodeState } from './platform/core/work/node-state.ts';
import { inWork, newWork } from './platform/core/work/work.ts';
import type { Connection, Db } from './platform/db/index.ts';
import type { NodeFeed } from './platform/live/index.ts';
import { createQueue, type Job, type Queue, type QueuedJob, type TimedJob } from './platform/queue/index.ts';

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
  codeHosts: SyncServices['codeHosts'];
  state: NodeState<{ db: Db; secrets: SecretBox }>;
  /** Without it, this node makes no backups. */
  backups?: BackupSchedule | undefined;
  /** Without a trailing slash. */
  baseUrl(): string;
  allowPrivateAddresses: boolean;
  /** Configured in the environment. */
  models: ConfiguredModels | undefined;
  /** Single sign-on set by environment variables. */
  singleSignOn?: EnvironmentSingleSignOn | undefined;
  /** Without it, no mail is sent. */
  mail?: MailServer | undefined;
  /** Default: that of the settings. */
  retention?: Retention;
  /** Delay before the queue starts: loading it must not slow down the first requests. */
  queueDelayMs: number;
}

export function startWorker(services: WorkerServices): Worker {
  const { connection, log } = services;
  const queue = createQueue({ connection, log });
  const given = giveJobs(services, queue);
  // Here the compiler checks that every job gets what it asks for.
  const all: readonly Job<typeof given>[] = jobs;
  const queued = all.filter(isQueued).filter((job) => job.isOn(given));
  const timed = startTimedJobs([...all.filter(isTimed), ...queued.flatMap(queueRegularly)], given);
  queue.start(
    queued.map((job) => ({
      ...job,
      handle: async (data, signal) => void (await job.run(given, data, signal)),
    })),
    services.queueDelayMs,
  );
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

/** Everything that jobs receive; state that a job keeps between its runs is made here, once for each worker. */
function giveJobs(services: WorkerServices, queue: Queue) {
  const { clock, feed, log, mail, mirrors } = services;
  const announce = (topic: string) => feed.announce(topic);
  return {
    retention: DEFAULT_RETENTION,
    ...services,
    queue,
    announce,
    now: () => clock.now(),
    code: mirrors.code,
    identityProviders: createIdentityProviders(),
    outbox: createEventOutbox({
      handlers: [notifyPeople, ...(mail ? [mailMaker] : []), deliveryMaker(services.baseUrl)],
      lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
      announce,
      log,
    }),
    plainGit: createPlainGitFollower({ code: mirrors.code, announce, log }),
  };
}

function isTimed<S>(job: Job<S>): job is TimedJob<S> {
  return 'everyMs' in job;
}

function isQueued<S>(job: Job<S>): job is QueuedJob<S> {
  return !isTimed(job);
}

function queueRegularly<S extends { db: Db; queue: Queue }>({
  queueDue,
  schedule,
}: QueuedJob<S>): TimedJob<S>[] {
  return schedule ? [{ ...schedule, run: (_db, _now, services) => queueDue(services) }] : [];
}

export interface TimedWork extends Worker {
  /** Something changed: runs the jobs with `onChange` soon. */
  onChange(): void;
}

interface LoopServices {
  db: Db;
  clock: Clock;
  log: Log;
}

/** Runs each job now and then at its interval. A job never overlaps itself on a node; a trigger during a run causes one more run afterwards. */
export function startTimedJobs<S extends LoopServices>(
  timed: readonly TimedJob<S>[],
  services: S,
): TimedWork {
  const loops = timed.map((job) => startLoop(job, services));
  return {
    onChange: () => {
      for (const loop of loops) loop.onChange();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

function startLoop<S extends LoopServices>(job: TimedJob<S>, services: S): TimedWork {
  const { clock, db, log } = services;
  let running: Promise<void> | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let again = false;
  let stopped = false;

  const run = () => {
    running = inWork(newWork({ job: job.name }), () => job.run(db, clock.now(), services))
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
