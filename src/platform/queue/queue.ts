/** What the rest of the service knows of the queue: jobs are sent within transactions, and run at least once each. */
import type { Db } from '../db/index.ts';

export interface JobRequest {
  data: Record<string, string>;
  /** Of jobs of one group only a few run at a time on a node, so that a slow one does not hold up the others. */
  group?: string;
  /** By the clock of PostgreSQL; at once unless told. */
  startAfter?: Date;
  /** Those of a higher one are begun first; 0 unless told. */
  priority?: number;
}

/** A kind of job and what is done for each one. */
export interface QueuedJob {
  name: string;
  /** One that takes longer is taken for lost and begun again. */
  maxSeconds: number;
  /** How many run at a time on a node; 20 unless told. */
  maxAtOnce?: number;
  /** How many of them are of one group at most; 5 unless told. */
  maxPerGroup?: number;
  /** A failure is tried again later. The signal fires when the job is lost or the service stops: then it should end. */
  handle(data: Record<string, string>, signal: AbortSignal): Promise<void>;
}

export interface Queue {
  /** Whether jobs can be sent. */
  started(): boolean;
  /** Resolves when jobs can be sent; never, when it is stopped before. */
  whenStarted: Promise<void>;
  /** In the transaction, when that is what is given: the job is there exactly when the rest is. */
  send(db: Db, name: string, jobs: JobRequest[]): Promise<void>;
  /** Has this node look for jobs now; it looks every few seconds anyway. */
  wake(name: string): void;
  /** Begins in the background; what goes wrong is logged and tried again. */
  start(jobs: readonly QueuedJob[], delayMs: number): void;
  /** Lets jobs under way finish for a few seconds, then breaks them off: they are run again later, here or elsewhere. */
  stop(): Promise<void>;
}
