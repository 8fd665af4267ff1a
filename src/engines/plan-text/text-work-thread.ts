/** The worker thread: runs one task after another and reports the results. */
import { parentPort } from 'node:worker_threads';
import { TEXT_WORK, type TextWork } from './text-work.ts';

parentPort!.on('message', ({ id, name, values }: { id: number; name: keyof TextWork; values: never[] }) => {
  try {
    const work = TEXT_WORK[name] as (...values: never[]) => unknown;
    parentPort!.postMessage({ id, result: work(...values) });
  } catch (error) {
    parentPort!.postMessage({ id, error });
  }
});
