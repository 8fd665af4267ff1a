/** The process's side: answers requests from the service, and cancels those no longer needed. */
import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FailureReason } from './failure.ts';
import type { FromProcess, ProgressOf, RequestTable, RequestTime, ToProcess } from './messages.ts';

export interface HandlerCall<Progress = never> {
  signal: AbortSignal;
  time: RequestTime;
  onProgress(progress: Progress): void;
}

export type RequestHandlers<Requests extends RequestTable<Requests>, Folders> = {
  [Name in keyof Requests]?: (
    folders: Folders,
    params: Requests[Name]['params'],
    call: HandlerCall<ProgressOf<Requests[Name]>>,
  ) => Promise<Requests[Name]['result']>;
};

/** How long nothing must run before memory is returned. */
const COLLECT_AFTER_MS = 2000;

/** Names the failures that the requests themselves know; others are `broken`. */
export type ReasonOf = (error: unknown) => FailureReason | undefined;

/** The service limits concurrency, because callers take turns there. */
export function serveRequests<Requests extends RequestTable<Requests>, Folders>(
  handlers: RequestHandlers<Requests, Folders>,
  reasonOf: ReasonOf = () => undefined,
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
      const reason = controller.signal.aborted ? 'cancelled' : (reasonOf(error) ?? 'broken');
      send({ kind: 'failure', id, reason, message: String(error) });
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
