/**
 * Fetches jobs of one kind from the queue and runs them: many at once, but few of one group, so that a receiver that
 * never responds does not block the others. It polls when woken, when there is capacity, and every few seconds.
 */
import type { Job, PgBoss } from 'pg-boss';
import { errorText } from '../core/errors/error-text.ts';
import type { Log } from '../core/telemetry/log.ts';
import { inSpan } from '../core/telemetry/tracing.ts';
import { inWork, newWork } from '../core/work/work.ts';
import type { JobKind } from './queue.ts';

const MAX_AT_ONCE = 20;
const MAX_OF_A_GROUP = 5;
const LOOK_EVERY_MS = 3_000;
/** Shorter than the time after which pg-boss considers a job without a heartbeat lost. */
const SIGN_OF_LIFE_EVERY_MS = 4_000;
const FINISH_WITHIN_MS = 5_000;
/** How long aborted jobs get to end. */
const END_WITHIN_MS = 2_000;
/** For recording that a job was cut off, so that it is tried again at once. */
const RECORD_WITHIN_MS = 1_000;

export interface JobRunner {
  wake(): void;
  /** Fetches no more; gives running jobs a few seconds to finish, then aborts and requeues them. */
  stop(): Promise<void>;
}

type Taken = Job<Record<string, string>>;

export function runJobs(
  boss: PgBoss,
  kind: JobKind,
  services: { log: Log; onError(error: unknown): void },
): JobRunner {
  const { log, onError } = services;
  const { maxAtOnce = MAX_AT_ONCE, maxPerGroup = MAX_OF_A_GROUP, name } = kind;
  const running = new Map<Taken, Promise<void>>();
  const stopping = new AbortController();
  let stopped = false;
  let woken = false;
  let wakeUp: (() => void) | undefined;

  const wake = () => {
    woken = true;
    wakeUp?.();
  };
  const ofGroup = (groupId: string) => [...running.keys()].filter((job) => job.groupId === groupId).length;
  /** The groups at their limit, and the capacity of the fullest other group: that many can be fetched at once. */
  const roomInGroups = () => {
    const groups = new Set([...running.keys()].flatMap(({ groupId }) => groupId ?? []));
    const rooms = [...groups].map((groupId) => ({ groupId, room: maxPerGroup - ofGroup(groupId) }));
    return {
      full: rooms.filter(({ room }) => room <= 0).map(({ groupId }) => groupId),
      least: Math.min(maxPerGroup, ...rooms.map(({ room }) => room).filter((room) => room > 0)),
    };
  };

  const settle = async (job: Taken): Promise<void> => {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(kind.maxSeconds * 1000)]);
    try {
      const work = inWork(newWork({ job: name }), () =>
        inSpan(name, 'consumer', { 'messaging.message.id': job.id }, () => kind.handle(job.data, signal)),
      );
      await Promise.race([work, aborted(signal)]);
      await boss.complete(name, job);
    } catch (error) {
      if (!stopping.signal.aborted)
        log.warn({ err: error, job: name, jobId: job.id }, 'job failed; it will be retried');
      // If this fails too, the missing heartbeat has the same effect.
      const reason = stopping.signal.aborted ? undefined : { message: errorText(error) };
      await boss.fail(name, job, reason).catch(onError);
    }
  };
  const run = (job: Taken) => {
    const work = settle(job).finally(() => {
      const hadNoRoom = running.size >= maxAtOnce || (job.groupId && ofGroup(job.groupId) >= maxPerGroup);
      running.delete(job);
      if (hadNoRoom) wake();
    });
    running.set(job, work);
  };

  /** Whether there may be more to fetch right now. */
  const take = async (): Promise<boolean> => {
    const { full, least } = roomInGroups();
    const room = Math.min(maxAtOnce - running.size, least);
    if (room <= 0) return false;
    const jobs = await boss.fetch<Record<string, string>>(name, { batchSize: room, ignoreGroups: full });
    for (const job of jobs) run(job);
    return jobs.length === room;
  };
  const sleep = async (): Promise<void> => {
    if (!woken && !stopped) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wakeUp = resolve;
      const timer = setTimeout(resolve, LOOK_EVERY_MS);
      await promise;
      clearTimeout(timer);
      wakeUp = undefined;
    }
    woken = false;
  };
  const loop = async (): Promise<void> => {
    while (!stopped) {
      const more = await take().catch((error: unknown) => {
        onError(error);
        return false;
      });
      if (!more) await sleep();
    }
  };
  const looking = loop();
  const signsOfLife = setInterval(() => {
    if (running.size > 0) boss.touch(name, [...running.keys()]).catch(onError);
  }, SIGN_OF_LIFE_EVERY_MS);

  return {
    wake,
    async stop() {
      stopped = true;
      wake();
      await looking;
      const cutOff = setTimeout(
        () => stopping.abort(new Error('The service is stopping.')),
        FINISH_WITHIN_MS,
      );
      await within(FINISH_WITHIN_MS + END_WITHIN_MS + RECORD_WITHIN_MS, Promise.all(running.values()));
      clearTimeout(cutOff);
      clearInterval(signsOfLife);
    },
  };
}

/** Rejects some time after the signal fires, so that a job that does not end does not occupy a slot. */
async function aborted(signal: AbortSignal): Promise<never> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await new Promise((resolve) => setTimeout(resolve, END_WITHIN_MS).unref());
  throw signal.reason;
}

/** Resolves when the work is done or the time is up. */
async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  await Promise.race([work, late]);
  clearTimeout(timer);
}
