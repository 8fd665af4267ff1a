/** Facts on this node: callers take turns, one process answers them, and others extract what a commit lacks. */
import type { FactRequestName, FactRequests } from '../../platform/core/ports/code-facts.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import { type Call, createFairQueue, type QueueLimits } from '../../platform/core/work/fair-queue.ts';
import { createRequestProcess, ProcessFailure, SOURCE_EXTENSION } from '../processes/index.ts';
import type { FactProgress } from './build-facts.ts';
import { createExtraction } from './create-extraction.ts';
import type { FactFolders, ReadFactRequests } from './messages.ts';

const READ_IDLE_MS = 10 * 60_000;
/** Facts take about a sixth of the text, and the index a little more than the text. */
const SHARE_OF_INDEX = 0.25;
/** All facts of a commit are for background work, which waits longer. */
const COMMIT_FACTS_MS = 30 * 60_000;

export interface FactSettings {
  indexDiskBytes: number;
  searchTimeoutMs: number;
  searchLimits: QueueLimits;
}

export interface CodeFacts {
  /** Extracts first what the commit lacks. Rejects with `NoTurn` when the caller or this node has too many requests. */
  request<Name extends FactRequestName>(
    name: Name,
    folders: FactFolders,
    params: FactRequests[Name]['params'],
    call: Call,
  ): Promise<FactRequests[Name]['result']>;
  /** Extracts what the commit lacks. */
  extract(
    folders: FactFolders,
    commit: string,
    options: { signal: AbortSignal; onProgress?: (progress: FactProgress) => void },
  ): Promise<void>;
  /** Closes everything held for a repository whose files were deleted. */
  forget(folders: FactFolders, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export function createCodeFacts(services: { log: Log; settings: FactSettings }): CodeFacts {
  const { log, settings } = services;
  const { searchLimits, searchTimeoutMs } = settings;
  const reading = createRequestProcess<ReadFactRequests, FactFolders>(
    new URL(`./facts-process.${SOURCE_EXTENSION}`, import.meta.url),
    { idleMs: READ_IDLE_MS, log },
  );
  const queue = createFairQueue(searchLimits);
  const extraction = createExtraction({ log, maxBytes: settings.indexDiskBytes * SHARE_OF_INDEX });

  async function takeTurn<Name extends FactRequestName>(
    name: Name,
    folders: FactFolders,
    params: FactRequests[Name]['params'],
    call: Call,
  ): Promise<ReadFactRequests[Name]['result']> {
    const endTurn = await queue.enter(call, searchTimeoutMs);
    try {
      return await reading.request(name, folders, params, { signal: call.signal });
    } finally {
      endTurn();
    }
  }

  return {
    async request(name, folders, params, call) {
      const { commit } = params;
      // Asked before reading: what is extracted meanwhile may be missing from the answer.
      const isExtracted = extraction.isDone(folders, commit);
      const before = await takeTurn(name, folders, params, call);
      if (before.lacking === 0 || isExtracted) return before.value;
      const timeoutMs = name === 'commitFacts' ? COMMIT_FACTS_MS : searchTimeoutMs;
      await waitFor(extraction.share(folders, commit), call.signal, timeoutMs);
      return (await takeTurn(name, folders, params, call)).value;
    },
    extract: extraction.extract,
    async forget(folders, signal) {
      if (reading.isRunning()) await reading.request('forget', folders, {}, { signal });
    },
    async close() {
      await Promise.all([reading.close(), extraction.close()]);
    },
  };
}

async function waitFor(work: Promise<void>, signal: AbortSignal, timeoutMs: number): Promise<void> {
  const { promise: left, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new ProcessFailure('not_ready', 'The facts are still being extracted.')),
    timeoutMs,
  );
  const leave = () => reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([work, left]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
  }
}
