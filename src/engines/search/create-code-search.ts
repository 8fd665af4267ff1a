/** Code search of this node: questions go to one process, indexing to another, and what was asked for is indexed afterwards. */
import type { Log } from '../../platform/core/log.ts';
import type { IndexProgress } from './build-index.ts';
import { makeRoom } from './index-room.ts';
import type { RepositoryFolders, SearchRequestName, SearchRequests } from './messages.ts';
import { createSearchProcess } from './search-process.ts';

/** Files that are larger are never searched, and results say so. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;
const QUERY_IDLE_MS = 30 * 60_000;
const INDEX_IDLE_MS = 60_000;

export interface CodeSearch {
  /** Makes the first question as fast as the others. */
  warmUp(): void;
  ask<Name extends Exclude<SearchRequestName, 'buildIndex'>>(
    name: Name,
    folders: RepositoryFolders,
    asks: SearchRequests[Name]['asks'],
    signal: AbortSignal,
  ): Promise<SearchRequests[Name]['answers']>;
  /** Indexes what the commits have and the index lacks. */
  index(
    folders: RepositoryFolders,
    commits: string[],
    options: { signal: AbortSignal; onProgress?: (progress: IndexProgress) => void },
  ): Promise<void>;
  /** The same, some time soon; what is already waiting is not asked for twice. */
  indexSoon(folders: RepositoryFolders, commit: string): void;
  close(): Promise<void>;
}

const MAX_WAITING = 100;

export function createCodeSearch(services: { log: Log; indexDiskBytes: number }): CodeSearch {
  const { log } = services;
  const query = createSearchProcess('query', { idleMs: QUERY_IDLE_MS, log });
  const indexer = createSearchProcess('index', { idleMs: INDEX_IDLE_MS, log });
  const closing = new AbortController();
  const waiting = new Set<string>();

  const index: CodeSearch['index'] = async (folders, commits, { onProgress, signal }) => {
    if (commits.length === 0) return;
    const maxIndexBytes = await makeRoom(folders.indexFolder, services.indexDiskBytes);
    const outcome = await indexer.ask(
      'buildIndex',
      folders,
      { commits, maxFileBytes: MAX_FILE_BYTES, maxIndexBytes },
      { signal: AbortSignal.any([signal, closing.signal]), ...(onProgress && { onProgress }) },
    );
    if (outcome.leftOut > 0) {
      log.warn(
        { indexFolder: folders.indexFolder, leftOut: outcome.leftOut },
        'the index has no room for all files; those are searched without it. Raise INDEX_DISK_BYTES.',
      );
    }
  };

  return {
    warmUp: () => query.start(),
    ask: (name, folders, asks, signal) => query.ask(name, folders, asks, { signal }),
    index,
    indexSoon(folders, commit) {
      const key = `${folders.gitDir} ${commit}`;
      if (waiting.has(key) || waiting.size >= MAX_WAITING || closing.signal.aborted) return;
      waiting.add(key);
      index(folders, [commit], { signal: closing.signal })
        .catch((error: unknown) => {
          if (!closing.signal.aborted)
            log.warn({ err: error }, 'a commit was not indexed; searches work without');
        })
        .finally(() => waiting.delete(key));
    },
    async close() {
      closing.abort(new Error('The service stops.'));
      await Promise.all([query.close(), indexer.close()]);
    },
  };
}
