/** Reads and searches code on this node; a commit that its mirror lacks is fetched from the origin first. */

import { type CodeSearch, NoTurn, SearchFailure } from '../../engines/search/index.ts';
import type { CodeCall, CodeReader, CommitLookup } from '../../platform/core/code-reader.ts';
import { Problem } from '../../platform/core/errors.ts';
import type { Mirrors } from './create-mirrors.ts';
import { RepositoryGone } from './sync-mirror.ts';

/** A request waits so long for the origin; after that the reply says when to try again. */
const CATCH_UP_MS = 30_000;
/** A commit that the origin did not have is not fetched for again so soon. */
const FETCH_AGAIN_MS = 30_000;
/** Digits that no commit begins with make the node fetch a repository no more often than this. */
const LOOK_AGAIN_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;
const MAX_REMEMBERED = 10_000;

export function createCodeReader(services: {
  mirrors: Pick<Mirrors, 'folderOf' | 'isBehind' | 'isOfOrigin' | 'join' | 'sync'>;
  search: Pick<CodeSearch, 'request' | 'load'>;
}): CodeReader {
  const { mirrors, search } = services;
  /** When it was fetched in vain for this commit. */
  const lackedAt = createTimes(FETCH_AGAIN_MS);
  /** When this repository was fetched for digits that no commit began with. */
  const lookedAt = createTimes(LOOK_AGAIN_MS);

  /** The fetch continues when the client disconnects: the next request finds it further on. */
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

  /** Runs a request, and when the mirror lacks what it is about, fetches and runs it once more. */
  async function onNode<Result>(
    repositoryId: string,
    commit: string,
    signal: AbortSignal,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const key = `${repositoryId} ${commit}`;
    if (await mirrors.isOfOrigin(repositoryId)) {
      try {
        return await run();
      } catch (error) {
        if (!isMissing(error)) throw explain(error);
        if (lackedAt.isRecent(key) && !(await mirrors.isBehind(repositoryId))) throw lacking(error);
      }
    }
    await catchUp(repositoryId, signal);
    try {
      return await run();
    } catch (error) {
      if (!isMissing(error)) throw explain(error);
      lackedAt.note(key);
      throw lacking(error);
    }
  }

  async function lookUp(repositoryId: string, digits: string, call: CodeCall): Promise<CommitLookup> {
    const found = await onNode(repositoryId, '', call.signal, () =>
      search.request('findCommit', mirrors.folderOf(repositoryId), { digits }, call),
    );
    // A branch of the mirror may be named like this; what names mean is looked up in PostgreSQL.
    return found.kind === 'found' && !found.commit.startsWith(digits) ? { kind: 'none' } : found;
  }

  return {
    load: search.load,
    read: (name, repositoryId, params, call) =>
      onNode(repositoryId, params.commit, call.signal, () =>
        search.request(name, mirrors.folderOf(repositoryId), params, call),
      ),
    async findCommit(repositoryId, digits, call) {
      const found = await lookUp(repositoryId, digits, call);
      if (found.kind !== 'none') return found;
      // What PostgreSQL names is fetched at any time; what it does not, now and then.
      const isBehind = await mirrors.isBehind(repositoryId);
      if (isBehind || !lookedAt.isRecent(repositoryId)) {
        lookedAt.note(repositoryId);
        await catchUp(repositoryId, call.signal);
      } else {
        await waiting(call.signal, (patience) => mirrors.join(repositoryId, patience));
      }
      return lookUp(repositoryId, digits, call);
    },
    async changedFiles(repositoryId, params, call) {
      if (!(await mirrors.isOfOrigin(repositoryId))) return null;
      try {
        return await search.request('changedFiles', mirrors.folderOf(repositoryId), params, call);
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

/** Failures of a search as a caller should see them. */
function explain(error: unknown): unknown {
  if (error instanceof NoTurn) return explainNoTurn(error);
  if (!(error instanceof SearchFailure)) return error;
  if (error.reason === 'too_many_files') {
    return new Problem('conflict', 'This commit has more files than can be searched.', { cause: error });
  }
  return new Problem('unavailable', 'The search was interrupted. Try again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}

function explainNoTurn(error: NoTurn): Problem {
  const options = { retryAfterSeconds: error.retryAfterMs / 1000, cause: error };
  if (error.reason === 'credential') {
    return new Problem(
      'rate_limited',
      'Too many searches of this credential are waiting. Send fewer at once.',
      options,
    );
  }
  return new Problem(
    'unavailable',
    error.reason === 'node'
      ? 'Too many searches are waiting on this node.'
      : 'The search waited for its turn until its time limit, and was not started.',
    options,
  );
}
