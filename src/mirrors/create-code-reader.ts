/** Reads and searches code on this node; a commit that its mirror lacks is fetched from the origin first. */
import type { CodePlace, CodeReader } from '../core/code-reader.ts';
import { Problem } from '../core/errors.ts';
import type { CodeSearch, RepositoryFolders } from '../search/index.ts';
import { MOST_FILE_BYTES, SearchFailure } from '../search/index.ts';
import type { Mirrors } from './create-mirrors.ts';
import { RepositoryGone } from './sync-mirror.ts';

/** A request waits so long for the origin; after that it is told to come again. */
const CATCH_UP_MS = 30_000;
/** Digits that no commit begins with make the node fetch no more often than this. */
const FETCH_AGAIN_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;
const MOST_LACKING = 10_000;

export interface CodeReaderLimits {
  mostLines: number;
  mostBytes: number;
  searchTimeoutMs: number;
}

export function createCodeReader(services: {
  mirrors: Pick<Mirrors, 'folderOf' | 'sync'>;
  search: CodeSearch;
  limits: CodeReaderLimits;
}): CodeReader {
  const { limits, mirrors, search } = services;
  /** When it was fetched in vain for what is named here. */
  const lackedAt = new Map<string, number>();

  async function catchUp(repositoryId: string, signal: AbortSignal): Promise<void> {
    const timeout = AbortSignal.timeout(CATCH_UP_MS);
    try {
      await mirrors.sync(repositoryId, {
        onProgress: () => undefined,
        signal: AbortSignal.any([signal, timeout]),
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RepositoryGone) throw new Problem('not_found', 'The repository was not found.');
      throw new Problem(
        'repository_not_ready',
        timeout.aborted
          ? 'This node is still fetching the repository.'
          : 'This node could not fetch the repository from its origin; it is tried again.',
        { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error },
      );
    }
  }

  const wasLacking = (what: string) => Date.now() - (lackedAt.get(what) ?? 0) < FETCH_AGAIN_MS;
  const noteLacking = (what: string) => {
    if (lackedAt.size >= MOST_LACKING) lackedAt.clear();
    lackedAt.set(what, Date.now());
  };

  /** Asks, and when the mirror lacks what is asked for, fetches and asks once more. */
  async function onNode<Result>(
    { commit, repositoryId }: CodePlace,
    signal: AbortSignal,
    ask: (folders: RepositoryFolders) => Promise<Result>,
  ): Promise<Result> {
    const what = `${repositoryId} ${commit}`;
    const folders = mirrors.folderOf(repositoryId);
    try {
      return await ask(folders);
    } catch (error) {
      if (!isMissing(error)) throw explain(error);
      if (wasLacking(what)) throw lacking(error);
    }
    await catchUp(repositoryId, signal);
    try {
      return await ask(folders);
    } catch (error) {
      if (!isMissing(error)) throw explain(error);
      noteLacking(what);
      throw lacking(error);
    }
  }

  return {
    async findCommit(repositoryId, digits, signal) {
      const find = () =>
        onNode({ repositoryId, commit: '' }, signal, (folders) =>
          search.ask('findCommit', folders, { digits }, signal),
        );
      const found = await find();
      if (found.kind !== 'none' || wasLacking(repositoryId)) return found;
      noteLacking(repositoryId);
      await catchUp(repositoryId, signal);
      return find();
    },
    findFiles: (place, { glob, most }, signal) =>
      onNode(place, signal, (folders) =>
        search.ask('findFiles', folders, { commit: place.commit, glob, most }, signal),
      ),
    searchCode: (place, query, signal) =>
      onNode(place, signal, async (folders) => {
        const { isIndexed, ...outcome } = await search.ask(
          'searchCode',
          folders,
          {
            ...query,
            commit: place.commit,
            mostLines: limits.mostLines,
            mostBytes: limits.mostBytes,
            mostFileBytes: MOST_FILE_BYTES,
            timeoutMs: limits.searchTimeoutMs,
          },
          signal,
        );
        // It was answered without; the next search of this commit has an index to go by.
        if (isIndexed === false) search.indexSoon(folders, place.commit);
        return outcome;
      }),
    listTree: (place, query, signal) =>
      onNode(place, signal, (folders) =>
        search.ask('listTree', folders, { ...query, commit: place.commit }, signal),
      ),
    readFile: (place, query, signal) =>
      onNode(place, signal, (folders) =>
        search.ask(
          'readFile',
          folders,
          { ...query, commit: place.commit, mostFileBytes: MOST_FILE_BYTES },
          signal,
        ),
      ),
    changedFiles: (repositoryId, query, signal) =>
      search.ask('changedFiles', mirrors.folderOf(repositoryId), query, signal).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw explain(error);
      }),
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof SearchFailure && error.reason === 'missing';
}

function lacking(cause: unknown): Problem {
  return new Problem('ref_not_found', 'This commit, or a part of it, is not in the repository any more.', {
    cause,
  });
}

function explain(error: unknown): unknown {
  if (!(error instanceof SearchFailure)) return error;
  if (error.reason === 'busy' || error.reason === 'cancelled') {
    return new Problem('unavailable', 'Too much is being searched right now.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: error,
    });
  }
  if (error.reason === 'too_many_files') {
    return new Problem('conflict', 'This commit has more files than can be searched.', { cause: error });
  }
  return new Problem('unavailable', 'The search broke off. Try again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}
