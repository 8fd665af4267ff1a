/** The service's side of a search process: starts it when it is needed, asks it, and ends it when nothing is asked any more. */
import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import type { Log } from '../../platform/core/log.ts';
import type { IndexProgress } from './build-index.ts';
import {
  type FromProcess,
  type RepositoryFolders,
  SearchFailure,
  type SearchRequestName,
  type SearchRequests,
  type ToProcess,
} from './messages.ts';

interface Asked extends PromiseWithResolvers<unknown> {
  onProgress: ((progress: IndexProgress) => void) | undefined;
}

export interface SearchProcess {
  /** Starts it before anything is asked, so that the first answer need not wait for that. */
  start(): void;
  ask<Name extends SearchRequestName>(
    name: Name,
    folders: RepositoryFolders,
    asks: SearchRequests[Name]['asks'],
    options: { signal: AbortSignal; onProgress?: (progress: IndexProgress) => void },
  ): Promise<SearchRequests[Name]['answers']>;
  close(): Promise<void>;
}

/**
 * It reads no settings: all it needs comes with the questions. Memory that it let go of is given back at once, because
 * starting a program takes the longer the more a process holds; modules come from the service's own cache.
 */
function environment(): Record<string, string> {
  const cache = getCompileCacheDir();
  return {
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '65536',
    MALLOC_TRIM_THRESHOLD_: '65536',
    ...(cache && { NODE_COMPILE_CACHE: dirname(cache) }),
  };
}

export function createSearchProcess(
  kind: 'query' | 'index',
  options: { idleMs: number; log: Log },
): SearchProcess {
  const extension = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
  const file = new URL(`./${kind}-process.${extension}`, import.meta.url);
  const asked = new Map<number, Asked>();
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  function start(): ChildProcess {
    const started = fork(file, {
      env: environment(),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let words = '';
    started.stderr!.on('data', (chunk: Buffer) => {
      words = (words + chunk.toString()).slice(-2000);
    });
    started.on('message', (message: FromProcess) => take(message));
    const ended = (reason: string) => {
      if (child !== started) return;
      child = undefined;
      clearTimeout(idle);
      if (asked.size > 0) options.log.error({ process: kind, reason, words }, 'a search process ended');
      for (const each of asked.values()) each.reject(new SearchFailure('broken', `It ended: ${reason}.`));
      asked.clear();
    };
    started.on('error', (error) => ended(error.message));
    started.on('exit', (code, signal) => ended(`${signal ?? `exit code ${code}`}`));
    // A process that has nothing else to do must not stay for it.
    started.unref();
    started.channel?.unref();
    (started.stderr as unknown as { unref?(): void }).unref?.();
    return started;
  }

  function take(message: FromProcess): void {
    const each = asked.get(message.id);
    if (!each) return;
    if (message.kind === 'progress') {
      each.onProgress?.(message.progress);
      return;
    }
    asked.delete(message.id);
    if (message.kind === 'answer') each.resolve(message.value);
    else each.reject(new SearchFailure(message.reason, message.message));
    if (asked.size === 0) {
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

  return {
    start() {
      child ??= start();
    },
    async ask(name, folders, asks, { onProgress, signal }) {
      signal.throwIfAborted();
      clearTimeout(idle);
      child ??= start();
      lastId += 1;
      const id = lastId;
      const each: Asked = { onProgress, ...Promise.withResolvers<unknown>() };
      asked.set(id, each);
      child.channel?.ref();
      const send = (message: ToProcess) => child?.connected && child.send(message);
      const cancel = () => send({ kind: 'cancel', id });
      signal.addEventListener('abort', cancel, { once: true });
      try {
        send({ kind: 'ask', id, name, folders, asks });
        return (await each.promise) as SearchRequests[typeof name]['answers'];
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    },
    async close() {
      const ending = child;
      end();
      for (const each of asked.values()) each.reject(new SearchFailure('cancelled', 'The service stops.'));
      asked.clear();
      if (ending && ending.exitCode === null && ending.signalCode === null) {
        ending.ref();
        const exited = new Promise((resolve) => ending.once('exit', resolve));
        ending.kill('SIGKILL');
        await exited;
      }
    },
  };
}
