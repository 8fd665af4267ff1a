/** The code of the worker thread: runs one task after another and reports the results. */
import { parentPort } from 'node:worker_threads';
import { TEXT_WORK, type TextTask, type TextTaskResult } from './text-work.ts';

parentPort!.on('message', (task: TextTask) => parentPort!.postMessage(run(task)));

function run({ name, values }: TextTask): TextTaskResult {
  try {
    return { result: (TEXT_WORK[name] as (...values: unknown[]) => unknown)(...values) };
  } catch (error) {
    return { error };
  }
}
