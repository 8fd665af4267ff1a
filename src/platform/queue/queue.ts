/** The interface of the queue: jobs are sent within transactions, and each runs at least once. */
import type { Db } from '../db/index.ts';

export interface JobRequest {
  data: Record<string, string>;
  /** Only a few jobs of one group run at a time on a node, so that a slow group does not block the others. */
  group?: string;
  /** By PostgreSQL's clock; default immediately. */
  startAfter?: Date;
  /** Jobs with a higher priority start first; default 0. */
  priority?: number;
}

/** A kind of job and its handler. */
export interface JobKind {
  name: string;
  /** A job that takes longer counts as lost and is restarted. */
  maxSeconds: number;
  /** Maximum number of concurrent jobs on a node; default 20. */
  maxAtOnce?: number;
  /** Maximum number of concurrent jobs of one group; default 5. */
  maxPerGroup?: number;
  /** Failed jobs are retried later. The signal fires when the job is lost or the service stops; the handler should then end. */
  handle(data: Record<string, string>, signal: AbortSignal): Promise<void>;
}

export interface Queue {
  /** Whether jobs can be sent. */
  started(): boolean;
  /** Resolves when jobs can be sent; never if the queue is stopped first. */
  whenStarted: Promise<void>;
  /** Given a transaction, sends the job within it, so that the job exists only if the transaction commits. */
  send(db: Db, name: string, jobs: JobRequest[]): Promise<void>;
  /** Makes this node poll for jobs now; it polls every few seconds anyway. */
  wake(name: string): void;
  /** Starts in the background; failures are logged and retried. */
  start(jobs: readonly JobKind[], delayMs: number): void;
  /** Gives running jobs a few seconds to finish, then aborts them; they are run again later, on any node. */
  stop(): Promise<void>;
}
