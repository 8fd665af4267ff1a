/** Facts on this node: callers take turns, one process answers them, and others extract what a commit lacks. */
import { availableParallelism } from 'node:os';
import type { FactRequestName, FactRequests } from '../../platform/core/ports/code-facts.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import { type Call, createFairQueue, type QueueLimits } from '../../platform/core/work/fair-queue.ts';
import { createRequestProcess, ProcessFailure, SOURCE_EXTENSION } from '../processes/index.ts';
import { makeRoom } from '../search/index.ts';
import { buildFacts, type ExtractProcess, type FactProgress } from './build-facts.ts';
import type { ExtractRequests, FactFolders, ReadFactRequests } from './messages.ts';

const READ_IDLE_MS = 10 * 60_000;
const EXTRACT_IDLE_MS = 60_000;
const MAX_EXTRACT_PROCESSES = 2;
/** V8 heap limit; the parser's memory comes on top of it, and is limited by the size of files. */
const HEAP_MEBIBYTES = 512;
/** Facts take about a sixth of the text, and the index a little more than the text. */
const SHARE_OF_INDEX = 0.25;
/** How long to wait before extracting again what could not be extracted. */
const EXTRACT_AGAIN_MS = 10 * 60_000;
const MAX_REMEMBERED = 1000;
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
  const extracting = Array.from(
    { length: Math.min(MAX_EXTRACT_PROCESSES, availableParallelism()) },
    (): ExtractProcess =>
      createRequestProcess<ExtractRequests, FactFolders>(
        new URL(`./extract-process.${SOURCE_EXTENSION}`, import.meta.url),
        {
          idleMs: EXTRACT_IDLE_MS,
          log,
          nodeOptions: [`--max-old-space-size=${HEAP_MEBIBYTES}`],
        },
      ),
  ) as [ExtractProcess, ...ExtractProcess[]];
  const queue = createFairQueue(searchLimits);
  const closing = new AbortController();
  /** Commits that are being extracted because of a request. */
  const wanted = new Map<string, Promise<void>>();
  /** Until when the commit counts as extracted, whatever it lacks. */
  const extractedUntil = new Map<string, number>();
  let building: Promise<unknown> = Promise.resolve();

  const keyOf = ({ gitDir }: FactFolders, commit: string) => `${gitDir} ${commit}`;

  /** One at a time, in order of arrival. */
  const extract: CodeFacts['extract'] = (folders, commit, { onProgress, signal }) => {
    const both = AbortSignal.any([signal, closing.signal]);
    const build = building.then(async () => {
      both.throwIfAborted();
      const maxBytes = await makeRoom(folders.factsFolder, settings.indexDiskBytes * SHARE_OF_INDEX);
      const leftOut = await buildFacts(extracting, folders, commit, {
        maxBytes,
        onProgress,
        signal: both,
        log,
      });
      if (extractedUntil.size >= MAX_REMEMBERED) extractedUntil.clear();
      extractedUntil.set(keyOf(folders, commit), performance.now() + EXTRACT_AGAIN_MS);
      if (leftOut > 0) {
        log.warn(
          { factsFolder: folders.factsFolder, leftOut },
          'facts reached their disk limit; the remaining files have none. Raise INDEX_DISK_BYTES.',
        );
      }
    });
    building = build.catch(() => undefined);
    return build;
  };

  /** Requests for the same commit share the work, which continues when they leave. */
  const extractShared = (folders: FactFolders, commit: string): Promise<void> => {
    const key = keyOf(folders, commit);
    const underWay =
      wanted.get(key) ??
      extract(folders, commit, { signal: closing.signal }).finally(() => wanted.delete(key));
    wanted.set(key, underWay);
    underWay.catch(() => undefined);
    return underWay;
  };

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
      const isExtracted = (extractedUntil.get(keyOf(folders, commit)) ?? 0) > performance.now();
      const before = await takeTurn(name, folders, params, call);
      if (before.lacking === 0 || isExtracted) return before.value;
      const timeoutMs = name === 'commitFacts' ? COMMIT_FACTS_MS : searchTimeoutMs;
      await waitFor(extractShared(folders, commit), call.signal, timeoutMs);
      return (await takeTurn(name, folders, params, call)).value;
    },
    extract,
    async forget(folders, signal) {
      if (reading.isRunning()) await reading.request('forget', folders, {}, { signal });
    },
    async close() {
      closing.abort(new Error('The service is stopping.'));
      await Promise.all([reading.close(), ...extracting.map((process) => process.close())]);
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
