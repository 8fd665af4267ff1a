/** Background work as data: each feature defines its jobs in `jobs.ts`, `src/jobs.ts` lists them, and the worker runs them. */
import type { z } from 'zod';
import { type Db, inTransaction } from '../db/index.ts';
import type { JobKind, JobRequest, Queue } from './queue.ts';

/** When a timed job runs: at the start, at its interval, and if wanted after changes. */
export interface Schedule {
  name: string;
  everyMs: number;
  /** Whether it also runs shortly after a change on any node. */
  onChange?: boolean;
}

/** It runs on every node that has it, so it must be safe to run on several at once. */
export interface TimedJob<Services = unknown> extends Schedule {
  run: (db: Db, now: Date, services: Services) => Promise<unknown>;
}

/** A job that waits in the queue until a node runs it. Create one with `defineJob`. */
export interface QueuedJob<Services> extends Omit<JobKind, 'handle'> {
  isOn: (services: Services) => boolean;
  /** The timed job that queues what is due; without it, another timed job calls `queueDue`. */
  schedule: Schedule | undefined;
  /** Does nothing while the queue is starting; the next call finds the same. */
  queueDue: (services: Services & QueueServices) => Promise<void>;
  run: (services: Services, data: JobRequest['data'], signal: AbortSignal) => Promise<unknown>;
}

export type Job<Services> = TimedJob<Services> | QueuedJob<Services>;

interface QueueServices {
  db: Db;
  queue: Queue;
}

/** Failed jobs are retried, all in the same way: see create-queue.ts. */
interface Definition<Services, Payload extends z.ZodObject, Row> extends Omit<JobKind, 'handle'> {
  /** Checked before the job runs. On the wire it is all strings, and another version may have written it. */
  payload: Payload;
  /** Whether this node runs it; default: every node with background work. */
  isOn?: (services: Services) => boolean;
  due: {
    schedule?: Schedule;
    /** As many as one claim takes; a full batch is followed by another. Without it, one claim takes all. */
    batch?: number;
    /** Locks or marks what is due, so that nobody else queues it. */
    claim: (db: Db, services: Services) => Promise<Row[]>;
    /** Marks what was only locked. */
    mark?: (db: Db, rows: Row[]) => Promise<void>;
    request: (row: Row) => Omit<JobRequest, 'data'> & { data: z.input<Payload> & JobRequest['data'] };
  };
  run: (services: Services, payload: z.output<Payload>, signal: AbortSignal) => Promise<unknown>;
}

export function defineJob<Services, Payload extends z.ZodObject, Row>(
  definition: Definition<Services, Payload, Row>,
): QueuedJob<Services> {
  const { due, isOn = () => true, payload, run, ...kind } = definition;
  return {
    ...kind,
    isOn,
    schedule: due.schedule,
    async queueDue(services) {
      const { db, queue } = services;
      if (!queue.started()) return;
      for (;;) {
        // One transaction claims and queues, so that nothing is lost or queued twice.
        const count = await inTransaction(db, async (transaction) => {
          const rows = await due.claim(transaction, services);
          if (rows.length === 0) return 0;
          await queue.send(transaction, kind.name, rows.map(due.request));
          await due.mark?.(transaction, rows);
          return rows.length;
        });
        if (count > 0) queue.wake(kind.name);
        if (due.batch === undefined || count < due.batch) return;
      }
    },
    run: (services, data, signal) => run(services, payload.parse(data), signal),
  };
}
