/** The service's side of a process that answers requests: starts it on demand, sends it requests, and stops it when idle. */
import type { ChildProcess } from 'node:child_process';
import { basename } from 'node:path';
import type { Log } from '../../platform/core/telemetry/log.ts';
import { inSpan } from '../../platform/core/telemetry/tracing.ts';
import { ProcessFailure } from './failure.ts';
import type { FromProcess, ProgressOf, RequestTable, RequestTime, ToProcess } from './messages.ts';
import { killProcess, startProcess } from './start-process.ts';

interface Pending extends PromiseWithResolvers<unknown> {
  onProgress: ((progress: never) => void) | undefined;
}

const NO_LIMIT: RequestTime = { timeLimitMs: Number.POSITIVE_INFINITY, waitedMs: 0 };

export interface RequestProcess<Requests extends RequestTable<Requests>, Folders> {
  /** Starts it before the first request, which then doesn't have to wait. */
  start(): void;
  isRunning(): boolean;
  request<Name extends keyof Requests & string>(
    name: Name,
    folders: Folders,
    params: Requests[Name]['params'],
    options: {
      signal: AbortSignal;
      time?: RequestTime;
      onProgress?: (progress: ProgressOf<Requests[Name]>) => void;
    },
  ): Promise<Requests[Name]['result']>;
  close(): Promise<void>;
}

/** `file` is what the process runs. */
export function createRequestProcess<Requests extends RequestTable<Requests>, Folders>(
  file: URL,
  options: { idleMs: number; log: Log; nodeOptions?: string[] },
): RequestProcess<Requests, Folders> {
  const pending = new Map<number, Pending>();
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  const start = () => startProcess(file, options.nodeOptions, { onMessage: receive, onEnd: ended });

  function ended(process: ChildProcess, reason: string, output: string): void {
    if (child !== process) return;
    child = undefined;
    clearTimeout(idle);
    if (pending.size > 0)
      options.log.error(
        { process: basename(file.pathname), reason, output },
        'a process that reads code exited unexpectedly',
      );
    rejectAll(new ProcessFailure('ended', `It ended: ${reason}.`));
  }

  function rejectAll(failure: ProcessFailure): void {
    for (const each of pending.values()) each.reject(failure);
    pending.clear();
  }

  function receive(message: FromProcess): void {
    const each = pending.get(message.id);
    if (!each) return;
    if (message.kind === 'progress') {
      each.onProgress?.(message.progress as never);
      return;
    }
    pending.delete(message.id);
    if (message.kind === 'result') each.resolve(message.value);
    else each.reject(new ProcessFailure(message.reason, message.message));
    if (pending.size === 0) {
      child?.channel?.unref();
      idle = setTimeout(end, options.idleMs).unref();
    }
  }

  function end(): void {
    clearTimeout(idle);
    const ending = child;
    child = undefined;
    if (ending?.connected) ending.disconnect();
  }

  const answer: RequestProcess<Requests, Folders>['request'] = async (name, folders, params, given) => {
    const { onProgress, signal, time = NO_LIMIT } = given;
    signal.throwIfAborted();
    clearTimeout(idle);
    child ??= start();
    lastId += 1;
    const id = lastId;
    const each: Pending = { onProgress, ...Promise.withResolvers<unknown>() };
    pending.set(id, each);
    child.channel?.ref();
    const send = (message: ToProcess) => child?.connected && child.send(message);
    const cancel = () => send({ kind: 'cancel', id });
    signal.addEventListener('abort', cancel, { once: true });
    try {
      send({ kind: 'request', id, name, folders, params, time });
      return (await each.promise) as Requests[typeof name]['result'];
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };

  return {
    start() {
      child ??= start();
    },
    isRunning: () => child !== undefined,
    request: (name, folders, params, given) =>
      inSpan(`code ${name}`, 'internal', {}, () => answer(name, folders, params, given)),
    async close() {
      const ending = child;
      end();
      rejectAll(new ProcessFailure('cancelled', 'The service is stopping.'));
      if (ending) await killProcess(ending);
    },
  };
}
