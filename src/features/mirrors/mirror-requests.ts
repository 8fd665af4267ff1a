/** Runs requests on this node's mirrors: fetches a commit from the origin first when the mirror lacks it, and says what went wrong. */
import { GitFailure } from '../../engines/git/index.ts';
import { MAX_ATTEMPTS, ProcessFailure } from '../../engines/processes/index.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import { NoTurn } from '../../platform/core/work/fair-queue.ts';
import type { Mirrors } from './create-mirrors.ts';
import { RepositoryGone } from './open-origin.ts';

/** How long a request waits for the origin; then the reply says when to retry. */
const CATCH_UP_MS = 30_000;
/** How long to wait before fetching again for a commit that the origin didn't have. */
const FETCH_AGAIN_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;
const MAX_REMEMBERED = 10_000;

export function createMirrorRequests(mirrors: Pick<Mirrors, 'exists' | 'isBehind' | 'isOfOrigin' | 'sync'>) {
  /** When a fetch for this commit last found nothing. */
  const lackedAt = createTimes(FETCH_AGAIN_MS);

  /** The fetch continues when the client disconnects, so the next request benefits from it. */
  async function catchUp(repositoryId: string, signal: AbortSignal): Promise<void> {
    const timeout = AbortSignal.timeout(CATCH_UP_MS);
    try {
      await mirrors.sync(repositoryId, {
        signal: AbortSignal.any([signal, timeout]),
        continueAlone: true,
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RepositoryGone) throw new Problem('not_found', 'The repository was not found.');
      throw new Problem(
        'repository_not_ready',
        timeout.aborted
          ? 'This node is still fetching the repository.'
          : 'This node could not fetch the repository from its origin. It will retry.',
        { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error },
      );
    }
  }

  /** Runs a request; if the mirror lacks its commit, fetches and runs it once more. */
  async function onNode<Result>(
    repositoryId: string,
    commit: string,
    signal: AbortSignal,
    request: () => Promise<Result>,
  ): Promise<Result> {
    const run = () => retryLost(request, signal);
    const key = `${repositoryId} ${commit}`;
    if (await mirrors.isOfOrigin(repositoryId)) {
      try {
        return await run();
      } catch (error) {
        if (!isMissing(error)) throw await explainFor(repositoryId, error);
        if (lackedAt.isRecent(key) && !(await mirrors.isBehind(repositoryId))) throw lacking(error);
      }
    }
    await catchUp(repositoryId, signal);
    try {
      return await run();
    } catch (error) {
      if (!isMissing(error)) throw await explainFor(repositoryId, error);
      lackedAt.note(key);
      throw lacking(error);
    }
  }

  /** A removal deletes the files that a request is reading, which can end it in any way. */
  async function explainFor(repositoryId: string, error: unknown): Promise<unknown> {
    if (error instanceof ProcessFailure && !(await mirrors.exists(repositoryId)))
      return new Problem('not_found', 'The repository was removed.', { cause: error });
    return explain(error);
  }

  return { catchUp, onNode };
}

/** When something last happened, for as long as that counts as recent. */
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

/** Runs it again if the process that reads the code died meanwhile. */
async function retryLost<Result>(request: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request();
    } catch (error) {
      const isLost = error instanceof ProcessFailure && error.reason === 'ended';
      if (!isLost || attempt === MAX_ATTEMPTS || signal.aborted) throw error;
    }
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof ProcessFailure && error.reason === 'missing';
}

function lacking(cause: unknown): Problem {
  return new Problem('ref_not_found', 'This commit is missing or incomplete in the repository.', {
    cause,
  });
}

/** Maps failures of reading code to API problems. */
export function explain(error: unknown): unknown {
  if (error instanceof NoTurn) return error.toProblem('searches');
  if (error instanceof GitFailure && error.reason === 'timeout')
    return new Problem('unavailable', 'git took too long with these commits. Try again later.', {
      cause: error,
    });
  if (!(error instanceof ProcessFailure)) return error;
  if (error.reason === 'too_many_files') {
    return new Problem('conflict', 'This commit has too many files to search.', { cause: error });
  }
  if (error.reason === 'timeout') {
    return new Problem('unavailable', 'Comparing these commits took too long.', { cause: error });
  }
  if (error.reason === 'not_ready') {
    return new Problem('repository_not_ready', 'This commit is still being indexed.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: error,
    });
  }
  return new Problem('unavailable', 'Reading the code was interrupted. Try again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}
