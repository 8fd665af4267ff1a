/** Code search of this node: callers take turns, one process answers them, another one indexes what was searched without an index. */
import type {
  CodeCall,
  CodeQuery,
  CodeRequests,
  CodeSearchOutcome,
} from '../../platform/core/code-reader.ts';
import type { Log } from '../../platform/core/log.ts';
import type { IndexProgress } from './build-index.ts';
import { createFairQueue, type QueueLimits } from './fair-queue.ts';
import { makeRoom } from './index-room.ts';
import type { RepositoryFolders } from './messages.ts';
import { createSearchProcess } from './search-process.ts';

const QUERY_IDLE_MS = 30 * 60_000;
const INDEX_IDLE_MS = 60_000;
/** Commits that were searched without an index and wait to be indexed. */
const MAX_COMMITS_TO_INDEX = 100;
/** What takes little time has slots of its own, so that it never waits for searches. */
const QUICK_REQUESTS = { maxRunning: 32, maxRunningPerCredential: 16 };

export interface SearchSettings {
  indexDiskBytes: number;
  searchTimeoutMs: number;
  searchLimits: QueueLimits;
}

export interface CodeSearch {
  /** Makes the first request as fast as the others. */
  warmUp(): void;
  /** Rejects with `NoTurn` when the caller, or this node, has too much under way. */
  request<Name extends keyof CodeRequests>(
    name: Name,
    folders: RepositoryFolders,
    params: CodeRequests[Name]['params'],
    call: CodeCall,
  ): Promise<CodeRequests[Name]['result']>;
  /** Closes what is held of a repository whose files are gone. */
  forget(folders: RepositoryFolders, signal: AbortSignal): Promise<void>;
  /** Indexes what the commits have and the index lacks. */
  index(
    folders: RepositoryFolders,
    commits: string[],
    options: { signal: AbortSignal; onProgress?: (progress: IndexProgress) => void },
  ): Promise<void>;
  /** Searches that are running, and that wait for their turn. */
  load(): { running: number; waiting: number };
  close(): Promise<void>;
}

export function createCodeSearch(services: { log: Log; settings: SearchSettings }): CodeSearch {
  const { log, settings } = services;
  const { searchLimits, searchTimeoutMs } = settings;
  const query = createSearchProcess('query', { idleMs: QUERY_IDLE_MS, log });
  const indexer = createSearchProcess('index', { idleMs: INDEX_IDLE_MS, log });
  const searches = createFairQueue(searchLimits);
  const quickRequests = createFairQueue({ ...searchLimits, ...QUICK_REQUESTS });
  const closing = new AbortController();
  const toIndex = new Set<string>();
  let indexing: Promise<unknown> = Promise.resolve();

  /** One at a time, in the order in which they came. */
  const index: CodeSearch['index'] = (folders, commits, { onProgress, signal }) => {
    const wanted = AbortSignal.any([signal, closing.signal]);
    const build = indexing.then(async () => {
      wanted.throwIfAborted();
      if (commits.length === 0) return;
      const maxIndexBytes = await makeRoom(folders.indexFolder, settings.indexDiskBytes);
      const options = { signal: wanted, ...(onProgress && { onProgress }) };
      const { leftOut } = await indexer.request('buildIndex', folders, { commits, maxIndexBytes }, options);
      if (leftOut > 0) {
        log.warn(
          { indexFolder: folders.indexFolder, leftOut },
          'the index has no room for all files; the rest is searched without it. Raise INDEX_DISK_BYTES.',
        );
      }
    });
    indexing = build.catch(() => undefined);
    return build;
  };

  /** The next search of a commit that lacks an index has one. */
  const indexAfter = (folders: RepositoryFolders, { commit }: CodeQuery, outcome: CodeSearchOutcome) => {
    if (outcome.kind !== 'found' || outcome.isIndexed) return;
    const key = `${folders.gitDir} ${commit}`;
    if (toIndex.has(key) || toIndex.size >= MAX_COMMITS_TO_INDEX || closing.signal.aborted) return;
    toIndex.add(key);
    index(folders, [commit], { signal: closing.signal })
      .catch((error: unknown) => {
        if (!closing.signal.aborted)
          log.warn({ err: error }, 'a commit was not indexed; searches work without an index');
      })
      .finally(() => toIndex.delete(key));
  };

  return {
    warmUp: () => query.start(),
    async request(name, folders, params, call) {
      const isSearch = name === 'searchCode';
      const enteredAt = performance.now();
      const endTurn = await (isSearch ? searches : quickRequests).enter(call, searchTimeoutMs);
      try {
        const time = { timeLimitMs: searchTimeoutMs, waitedMs: Math.round(performance.now() - enteredAt) };
        const result = await query.request(name, folders, params, { signal: call.signal, time });
        if (isSearch) indexAfter(folders, params as CodeQuery, result as CodeSearchOutcome);
        return result;
      } finally {
        endTurn();
      }
    },
    async forget(folders, signal) {
      if (query.isRunning()) await query.request('forget', folders, {}, { signal });
    },
    index,
    load: searches.load,
    async close() {
      closing.abort(new Error('The service stops.'));
      await Promise.all([query.close(), indexer.close()]);
    },
  };
}
