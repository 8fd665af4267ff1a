/** Code search on this node: callers take turns, one process answers them, and another indexes commits that lack an index. */
import type {
  CodeQuery,
  CodeRequests,
  CodeSearchOutcome,
  EachOutcome,
  EachQuery,
  RepositoryCommit,
} from '../../platform/core/ports/code-reader.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import { type Call, createFairQueue, type QueueLimits } from '../../platform/core/work/fair-queue.ts';
import { createRequestProcess, SOURCE_EXTENSION } from '../processes/index.ts';
import type { IndexProgress } from './build-index.ts';
import { makeRoom } from './index-room.ts';
import type { RepositoryFolders, SearchRequests } from './messages.ts';
import { searchInBatches } from './search-in-batches.ts';

const QUERY_IDLE_MS = 30 * 60_000;
const INDEX_IDLE_MS = 60_000;
/** Commits that were searched without an index and are queued for indexing. */
const MAX_COMMITS_TO_INDEX = 100;
/** Quick requests have their own slots, so that they never wait for searches. */
const QUICK_REQUESTS = { maxRunning: 32, maxRunningPerCredential: 16 };

/** Comparisons have their own slots too: each is a git that reads all the files. */
const COMPARISONS = new Set<keyof CodeRequests>([
  ...([
    'listChanges',
    'fileDiff',
    'hunks',
    'isSameChange',
    'rangeDiff',
    'findMerge',
    'mergeTrees',
    'blameLines',
    'fileHistory',
    'lastCommits',
  ] as const),
]);

export interface SearchSettings {
  indexDiskBytes: number;
  searchTimeoutMs: number;
  searchLimits: QueueLimits;
}

export interface CodeSearch {
  /** Starts the process so that the first request is fast. */
  warmUp(): void;
  /** Rejects with `NoTurn` when the caller or this node has too many requests. */
  request<Name extends keyof CodeRequests>(
    name: Name,
    folders: RepositoryFolders,
    params: CodeRequests[Name]['params'],
    call: Call,
  ): Promise<CodeRequests[Name]['result']>;
  /** Searches many repositories in batches, each of which takes a turn; the outcomes arrive in no particular order. */
  searchEach(
    repositories: readonly (RepositoryFolders & RepositoryCommit)[],
    query: EachQuery,
    call: Call,
  ): AsyncGenerator<{ repositoryId: string; outcome: EachOutcome }>;
  /** Closes everything held for a repository whose files were deleted. */
  forget(folders: RepositoryFolders, signal: AbortSignal): Promise<void>;
  /** Adds to the index whatever the commits have and it lacks. */
  index(
    folders: RepositoryFolders,
    commits: string[],
    options: { signal: AbortSignal; onProgress?: (progress: IndexProgress) => void },
  ): Promise<void>;
  /** The numbers of running and waiting searches. */
  load(): { running: number; waiting: number };
  close(): Promise<void>;
}

export function createCodeSearch(services: { log: Log; settings: SearchSettings }): CodeSearch {
  const { log, settings } = services;
  const { searchLimits, searchTimeoutMs } = settings;
  const start = (file: URL, idleMs: number) =>
    createRequestProcess<SearchRequests, RepositoryFolders>(file, { idleMs, log });
  const query = start(new URL(`./query-process.${SOURCE_EXTENSION}`, import.meta.url), QUERY_IDLE_MS);
  const indexer = start(new URL(`./index-process.${SOURCE_EXTENSION}`, import.meta.url), INDEX_IDLE_MS);
  const searches = createFairQueue(searchLimits);
  const comparing = createFairQueue(searchLimits);
  const quickRequests = createFairQueue({ ...searchLimits, ...QUICK_REQUESTS });
  const closing = new AbortController();
  const toIndex = new Set<string>();
  let indexing: Promise<unknown> = Promise.resolve();

  /** One at a time, in order of arrival. */
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
          'the index reached its disk limit; the remaining files are searched without it. Raise INDEX_DISK_BYTES.',
        );
      }
    });
    indexing = build.catch(() => undefined);
    return build;
  };

  /** Indexes a commit that was searched without an index, for the next search. */
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
      const isSearch = name === 'searchCode' || name === 'searchCommits';
      const enteredAt = performance.now();
      const queue = isSearch ? searches : COMPARISONS.has(name) ? comparing : quickRequests;
      const endTurn = await queue.enter(call, searchTimeoutMs);
      try {
        const time = { timeLimitMs: searchTimeoutMs, waitedMs: Math.round(performance.now() - enteredAt) };
        const result = await query.request(name, folders, params, { signal: call.signal, time });
        if (name === 'searchCode') indexAfter(folders, params as CodeQuery, result as CodeSearchOutcome);
        return result;
      } finally {
        endTurn();
      }
    },
    searchEach: (repositories, search, call) =>
      searchInBatches(repositories, call, searchTimeoutMs, async (batch, remainingMs, signal) => {
        const [first] = batch;
        const endTurn = await searches.enter({ ...call, signal }, remainingMs);
        try {
          return await query.request(
            'searchEach',
            first!,
            { repositories: batch, query: search },
            { signal, time: { timeLimitMs: remainingMs, waitedMs: 0 } },
          );
        } finally {
          endTurn();
        }
      }),
    async forget(folders, signal) {
      if (query.isRunning()) await query.request('forget', folders, {}, { signal });
    },
    index,
    load: searches.load,
    async close() {
      closing.abort(new Error('The service is stopping.'));
      await Promise.all([query.close(), indexer.close()]);
    },
  };
}
