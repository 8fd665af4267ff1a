/** The messages between the service and its processes. */
import type { FailureReason } from './failure.ts';

/** The time limit of a request, and how much of it was spent waiting for its turn. */
export interface RequestTime {
  timeLimitMs: number;
  waitedMs: number;
}

/** Requests by name, each with its parameters, its result, and what it reports while it runs. */
export type RequestTable<Requests> = {
  [Name in keyof Requests]: { params: unknown; result: unknown; progress?: unknown };
};

export type ProgressOf<Request> = Request extends { progress: infer Progress } ? Progress : never;

export type ToProcess =
  | {
      kind: 'request';
      id: number;
      name: string;
      folders: unknown;
      params: unknown;
      time: RequestTime;
    }
  | { kind: 'cancel'; id: number };

export type FromProcess =
  | { kind: 'result'; id: number; value: unknown }
  | { kind: 'failure'; id: number; reason: FailureReason; message: string }
  | { kind: 'progress'; id: number; progress: unknown };
