/** Extracts the facts of commits, one at a time, in processes of their own. */
import { availableParallelism } from 'node:os';
import type { Log } from '../../platform/core/telemetry/log.ts';
import { createRequestProcess, SOURCE_EXTENSION } from '../processes/index.ts';
import { makeRoom } from '../search/index.ts';
import { buildFacts, type ExtractProcess, type FactProgress } from './build-facts.ts';
import type { ExtractRequests, FactFolders } from './messages.ts';

const EXTRACT_IDLE_MS = 60_000;
const MAX_EXTRACT_PROCESSES = 2;
/** V8 heap limit; the parser's memory comes on top of it, and is limited by the size of files. */
const HEAP_MEBIBYTES = 512;
/** How long to wait before extracting again what could not be extracted. */
const EXTRACT_AGAIN_MS = 10 * 60_000;
const MAX_REMEMBERED = 1000;

export interface Extraction {
  /** One at a time, in order of arrival. */
  extract(
    folders: FactFolders,
    commit: string,
    options: { signal: AbortSignal; onProgress?: (progress: FactProgress) => void },
  ): Promise<void>;
  /** Requests for the same commit share the work, which continues when they leave. */
  share(folders: FactFolders, commit: string): Promise<void>;
  /** Whether the commit counts as extracted, whatever it lacks. */
  isDone(folders: FactFolders, commit: string): boolean;
  close(): Promise<void>;
}

export function createExtraction({ log, maxBytes }: { log: Log; maxBytes: number }): Extraction {
  const processes = Array.from(
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
  const closing = new AbortController();
  const shared = new Map<string, Promise<void>>();
  const doneUntil = new Map<string, number>();
  let building: Promise<unknown> = Promise.resolve();

  const keyOf = ({ gitDir }: FactFolders, commit: string) => `${gitDir} ${commit}`;

  const extract: Extraction['extract'] = (folders, commit, { onProgress, signal }) => {
    const both = AbortSignal.any([signal, closing.signal]);
    const build = building.then(async () => {
      both.throwIfAborted();
      const leftOut = await buildFacts(processes, folders, commit, {
        maxBytes: await makeRoom(folders.factsFolder, maxBytes),
        onProgress,
        signal: both,
        log,
      });
      if (doneUntil.size >= MAX_REMEMBERED) doneUntil.clear();
      doneUntil.set(keyOf(folders, commit), performance.now() + EXTRACT_AGAIN_MS);
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

  return {
    extract,
    share(folders, commit) {
      const key = keyOf(folders, commit);
      const underWay =
        shared.get(key) ??
        extract(folders, commit, { signal: closing.signal }).finally(() => shared.delete(key));
      shared.set(key, underWay);
      underWay.catch(() => undefined);
      return underWay;
    },
    isDone: (folders, commit) => (doneUntil.get(keyOf(folders, commit)) ?? 0) > performance.now(),
    async close() {
      closing.abort(new Error('The service is stopping.'));
      await Promise.all(processes.map((process) => process.close()));
    },
  };
}
