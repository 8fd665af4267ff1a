/** The inside of a worker thread: runs one task after another and reports the results. */
import { parentPort } from 'node:worker_threads';

/** A task as it is sent to a worker thread, and what comes back. */
export interface Task {
  name: string;
  values: unknown[];
}

export type TaskResult = { result: unknown } | { error: unknown };

/** `work` has a pure function for each name. */
export function serveTasks(work: Record<string, (...values: never[]) => unknown>): void {
  const run = ({ name, values }: Task): TaskResult => {
    try {
      return { result: (work[name] as (...values: unknown[]) => unknown)(...values) };
    } catch (error) {
      return { error };
    }
  };
  parentPort!.on('message', (task: Task) => parentPort!.postMessage(run(task)));
}
