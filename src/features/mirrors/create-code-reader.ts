/** Reads and searches code on this node; a commit that its mirror lacks is fetched from the origin first. */

import type { CodeSearch, RepositoryFolders } from '../../engines/search/index.ts';
import { MAX_FILE_BYTES, SearchFailure } from '../../engines/search/index.ts';
import type { CodePlace, CodeReader, CommitLookup } from '../../platform/core/code-reader.ts';
import { Problem } from '../../platform/core/errors.ts';
import type { Mirrors } from './create-mirrors.ts';
import { RepositoryGone } from './sync-mirror.ts';

/** A request waits so long for the origin; after that it is told to come again. */
const CATCH_UP_MS = 30_000;
/** A commit that the origin did not have is not fetched for again so soon. */
const FETCH_AGAIN_MS = 30_000;
/** Digits that no commit begins with make the node fetch a repository no more often than this. */
const LOOK_AGAIN_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;
const MAX_REMEMBERED = 10_000;

export interface CodeReaderLimits {
  maxLines: number;
  maxBytes: number;
  searchTimeoutMs: number;
}

export function createCodeReader(services: {
  mirrors: Pick<Mirrors, 'folderOf' | 'isBehind' | 'isOfOrigin' | 'join' | 'sync'>;
  search: CodeSearch;
  limits: CodeReaderLimits;
}): CodeReader {
  const { limits, mirrors, search } = services;
  /** When it was fetched in vain for this commit. */
  const lackedAt = createTimes(FETCH_AGAIN_MS);
  /** When this repository was fetched for digits that nobody had heard of. */
  const lookedAt = createTimes(LOOK_AGAIN_MS);

  /** What is fetched goes on when the request has left: the next one finds it further on. */
  const catchUp = (repositoryId: string, signal: AbortSignal) =>
    waiting(signal, (patience) => mirrors.sync(repositoryId, { signal: patience, goesOn: true }));

  async function waiting(signal: AbortSignal, work: (patience: AbortSignal) => Promise<void>): Promise<void> {
    const timeout = AbortSignal.timeout(CATCH_UP_MS);
    try {
      await work(AbortSignal.any([signal, timeout]));
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

  /** Asks, and when the mirror lacks what is asked for, fetches and asks once more. */
  async function onNode<Result>(
    { commit, repositoryId }: CodePlace,
    signal: AbortSignal,
    ask: (folders: RepositoryFolders) => Promise<Result>,
  ): Promise<Result> {
    const what = `${repositoryId} ${commit}`;
    const folders = mirrors.folderOf(repositoryId);
    if (await mirrors.isOfOrigin(repositoryId)) {
      try {
        return await ask(folders);
      } catch (error) {
        if (!isMissing(error)) throw explain(error);
        if (lackedAt.isRecent(what) && !(await mirrors.isBehind(repositoryId))) throw lacking(error);
      }
    }
    await catchUp(repositoryId, signal);
    try {
      return await ask(folders);
    } catch (error) {
      if (!isMissing(error)) throw explain(error);
      lackedAt.note(what);
      throw lacking(error);
    }
  }

  return {
    async findCommit(repositoryId, digits, signal) {
      const find = () =>
        onNode({ repositoryId, commit: '' }, signal, async (folders): Promise<CommitLookup> => {
          const found = await search.ask('findCommit', folders, { digits }, signal);
          // A branch of the mirror may be named like this; what names mean is written down elsewhere.
          return found.kind === 'found' && !found.commit.startsWith(digits) ? { kind: 'none' } : found;
        });
      const found = await find();
      if (found.kind !== 'none') return found;
      // All that is written down for all nodes is fetched, whenever that was; for what is not, now and then.
      const isBehind = await mirrors.isBehind(repositoryId);
      if (isBehind || !lookedAt.isRecent(repositoryId)) {
        lookedAt.note(repositoryId);
        await catchUp(repositoryId, signal);
      } else {
        await waiting(signal, (patience) => mirrors.join(repositoryId, patience));
      }
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
            maxLines: limits.maxLines,
            maxBytes: limits.maxBytes,
            maxFileBytes: MAX_FILE_BYTES,
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
          { ...query, commit: place.commit, maxFileBytes: MAX_FILE_BYTES },
          signal,
        ),
      ),
    async changedFiles(repositoryId, query, signal) {
      if (!(await mirrors.isOfOrigin(repositoryId))) return null;
      try {
        return await search.ask('changedFiles', mirrors.folderOf(repositoryId), query, signal);
      } catch (error) {
        if (isMissing(error)) return null;
        throw explain(error);
      }
    },
  };
}

/** When something was noted last, for as long as that counts as recent. */
function createTimes(recentMs: number) {
  const times = new Map<string, number>();
  return {
    isRecent: (what: string) => performance.now() - (times.get(what) ?? -Infinity) < recentMs,
    note(what: string) {
      if (times.size >= MAX_REMEMBERED) times.clear();
      times.set(what, performance.now());
    },
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
