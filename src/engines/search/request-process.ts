/** The service's side of a process that answers requests: starts it on demand, sends it requests, and stops it when idle. */
import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname } from 'node:path';
import type { Log } from '../../platform/core/telemetry/log.ts';
import { inSpan } from '../../platform/core/telemetry/tracing.ts';
import type { IndexProgress } from './build-index.ts';
import {
  type FromProcess,
  type RequestTable,
  SearchFailure,
  type SearchTime,
  type ToProcess,
} from './messages.ts';

interface Pending extends PromiseWithResolvers<unknown> {
  onProgress: ((progress: IndexProgress) => void) | undefined;
}

const NO_LIMIT: SearchTime = { timeLimitMs: Number.POSITIVE_INFINITY, waitedMs: 0 };

export interface RequestProcess<Requests extends RequestTable<Requests>, Folders> {
  /** Starts it before the first request, which then doesn't have to wait. */
  start(): void;
  isRunning(): boolean;
  request<Name extends keyof Requests & string>(
    name: Name,
    folders: Folders,
    params: Requests[Name]['params'],
    options: { signal: AbortSignal; time?: SearchTime; onProgress?: (progress: IndexProgress) => void },
  ): Promise<Requests[Name]['result']>;
  close(): Promise<void>;
}

/**
 * It reads no settings: everything comes with the requests. Freed memory is returned immediately, because starting a
 * program takes longer the more memory a process holds; modules come from the service's compile cache.
 */
function environment(): Record<string, string> {
  const cache = getCompileCacheDir();
  return {
    TMPDIR: tmpdir(),
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '65536',
    MALLOC_TRIM_THRESHOLD_: '65536',
    ...(cache && { NODE_COMPILE_CACHE: dirname(cache) }),
  };
}

/** How this program's own files end: those of a checkout are run as they are. */
export const SOURCE_EXTENSION = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';

/** `file` is what the process runs. */
export function createRequestProcess<Requests extends RequestTable<Requests>, Folders>(
  file: URL,
  options: { idleMs: number; log: Log; nodeOptions?: string[] },
): RequestProcess<Requests, Folders> {
  const pending = new Map<number, Pending>();
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  function start(): ChildProcess {
    const started = fork(file, {
      env: environment(),
      ...(options.nodeOptions && { execArgv: options.nodeOptions }),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let output = '';
    started.stderr!.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-2000);
    });
    started.on('message', (message: FromProcess) => receive(message));
    const ended = (reason: string) => {
      if (child !== started) return;
      child = undefined;
      clearTimeout(idle);
      if (pending.size > 0)
        options.log.error(
          { process: basename(file.pathname), reason, output },
          'a process that reads code exited unexpectedly',
        );
      for (const each of pending.values()) each.reject(new SearchFailure('ended', `It ended: ${reason}.`));
      pending.clear();
    };
    started.on('error', (error) => ended(error.message));
    started.on('exit', (code, signal) => ended(`${signal ?? `exit code ${code}`}`));
    // An idle process must not keep the service running.
    started.unref();
    started.channel?.unref();
    (started.stderr as unknown as { unref?(): void }).unref?.();
    return started;
  }

  function receive(message: FromProcess): void {
    const each = pending.get(message.id);
    if (!each) return;
    if (message.kind === 'progress') {
      each.onProgress?.(message.progress);
      return;
    }
    pending.delete(message.id);
    if (message.kind === 'result') each.resolve(message.value);
    else each.reject(new SearchFailure(message.reason, message.message));
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
      for (const each of pending.values())
        each.reject(new SearchFailure('cancelled', 'The service is stopping.'));
      pending.clear();
      if (ending && ending.exitCode === null && ending.signalCode === null) {
        ending.ref();
        const exited = new Promise((resolve) => ending.once('exit', resolve));
        ending.kill('SIGKILL');
        await exited;
      }
    },
  };
}
