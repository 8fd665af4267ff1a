/** The process's side: answers requests from the service, and cancels those no longer needed. */
import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { GitFailure, MalformedTree } from '../git/index.ts';
import type { IndexProgress } from './build-index.ts';
import { MissingObject, TooManyFiles } from './commits/commit-files.ts';
import {
  type FailureReason,
  type FromProcess,
  type RequestTable,
  SearchFailure,
  type SearchTime,
  type ToProcess,
} from './messages.ts';

export interface HandlerCall {
  signal: AbortSignal;
  time: SearchTime;
  onProgress(progress: IndexProgress): void;
}

export type RequestHandlers<Requests extends RequestTable<Requests>, Folders> = {
  [Name in keyof Requests]?: (
    folders: Folders,
    params: Requests[Name]['params'],
    call: HandlerCall,
  ) => Promise<Requests[Name]['result']>;
};

/** How long nothing must run before memory is returned. */
const COLLECT_AFTER_MS = 2000;

/** The service limits concurrency, because callers take turns there. */
export function serveRequests<Requests extends RequestTable<Requests>, Folders>(
  handlers: RequestHandlers<Requests, Folders>,
): void {
  const running = new Map<number, AbortController>();
  let isFirst = true;
  let collecting: NodeJS.Timeout | undefined;
  const send = (message: FromProcess) => {
    if (process.connected) process.send!(message);
  };

  async function handle({ folders, id, name, params, time }: ToProcess & { kind: 'request' }): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    clearTimeout(collecting);
    try {
      const handler = handlers[name as keyof Requests]!;
      const value = await handler(folders as Folders, params, {
        signal: controller.signal,
        time,
        onProgress: (progress) => send({ kind: 'progress', id, progress }),
      });
      send({ kind: 'result', id, value });
    } catch (error) {
      send({ kind: 'failure', id, reason: reasonOf(error, controller.signal), message: String(error) });
    } finally {
      running.delete(id);
      // The service may kill this process, which then saves nothing for the next one.
      if (isFirst) flushCompileCache();
      isFirst = false;
      if (running.size === 0) collecting = setTimeout(collectGarbage, COLLECT_AFTER_MS).unref();
    }
  }

  process.on('message', (message: ToProcess) => {
    if (message.kind === 'cancel') running.get(message.id)?.abort(new Error('The request was cancelled.'));
    else void handle(message);
  });
  // Without the service there is nobody to answer.
  process.on('disconnect', () => process.exit(0));
}

/** An idle process allocates nothing, so V8 would keep what the last request left behind. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as NodeJS.GCFunction)({ type: 'major', flavor: 'last-resort' });
}

function reasonOf(error: unknown, signal: AbortSignal): FailureReason {
  if (signal.aborted) return 'cancelled';
  if (error instanceof SearchFailure) return error.reason;
  if (error instanceof MissingObject || error instanceof MalformedTree) return 'missing';
  if (error instanceof GitFailure) return reasonOfGit(error);
  if (error instanceof TooManyFiles) return 'too_many_files';
  return 'broken';
}

/** Commits are checked beforehand; what they refer to may be missing too. */
function reasonOfGit({ reason, stderrTail }: GitFailure): FailureReason {
  if (reason === 'timeout') return 'timeout';
  return /unable to read|bad (?:object|tree)|missing|Could not read/i.test(stderrTail) ? 'missing' : 'broken';
}
