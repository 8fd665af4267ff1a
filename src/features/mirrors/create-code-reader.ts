/** Reads and searches code on this node; fetches a commit from the origin first when the mirror lacks it. */

import type { CodeFacts } from '../../engines/facts/index.ts';
import { type FailureReason, MAX_ATTEMPTS, ProcessFailure } from '../../engines/processes/index.ts';
import type { ReviewRequests } from '../../engines/review/contract/code-review.ts';
import type { CodeReviewer } from '../../engines/review/contract/code-reviewer.ts';
import type { ReviewWork } from '../../engines/review/index.ts';
import type { CodeSearch } from '../../engines/search/index.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import type { FactRequestName, FactRequests } from '../../platform/core/ports/code-facts.ts';
import type {
  CodeReader,
  CodeRequests,
  CommitLookup,
  CommitRequestName,
  ReadRequests,
  RepositoryCommit,
} from '../../platform/core/ports/code-reader.ts';
import { type Call, NoTurn } from '../../platform/core/work/fair-queue.ts';
import type { Mirrors } from './create-mirrors.ts';
import type { MirrorFolder } from './mirror-folders.ts';
import { RepositoryGone } from './sync-mirror.ts';

/** How long a request waits for the origin; then the reply says when to retry. */
const CATCH_UP_MS = 30_000;
/** How long to wait before fetching again for a commit that the origin didn't have. */
const FETCH_AGAIN_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;
const MAX_REMEMBERED = 10_000;
const REVIEW_FAILURES: Partial<Record<FailureReason, string>> = {
  timeout: 'The review took too long.',
  ended:
    'The process that reads the code ended unexpectedly, several times in a row. It may need more memory than this machine has.',
};

export function createCodeReader(services: {
  mirrors: Pick<Mirrors, 'ask' | 'exists' | 'folderOf' | 'isBehind' | 'isOfOrigin' | 'sync'>;
  search: Pick<CodeSearch, 'request' | 'searchEach' | 'load'>;
  facts: Pick<CodeFacts, 'request'>;
  reviews: Pick<ReviewWork, 'request'>;
}): CodeReader & CodeReviewer {
  const { facts, mirrors, reviews, search } = services;
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

  function readCommit<Name extends keyof ReadRequests>(
    name: Name,
    repositoryId: string,
    params: ReadRequests[Name]['params'],
    call: Call,
  ): Promise<ReadRequests[Name]['result']> {
    const folders = mirrors.folderOf(repositoryId);
    return isFactRequest(name)
      ? facts.request(name, folders, params as FactRequests[typeof name]['params'], call)
      : search.request(
          name as CommitRequestName,
          folders,
          params as CodeRequests[CommitRequestName]['params'],
          call,
        );
  }

  function requestReview<Name extends keyof ReviewRequests>(
    name: Name,
    repositoryId: string,
    params: ReviewRequests[Name]['params'],
    call: Call,
  ): Promise<ReviewRequests[Name]['result']> {
    return onNode(repositoryId, commitsOf(params), call.signal, () =>
      reviews.request(name, mirrors.folderOf(repositoryId), params, call.signal).catch((error: unknown) => {
        const why = error instanceof ProcessFailure ? REVIEW_FAILURES[error.reason] : undefined;
        throw why === undefined ? error : new Problem('unavailable', why, { cause: error });
      }),
    );
  }

  async function lookUp(repositoryId: string, digits: string, call: Call): Promise<CommitLookup> {
    const found = await onNode(repositoryId, '', call.signal, () =>
      search.request('findCommit', mirrors.folderOf(repositoryId), { digits }, call),
    );
    // The mirror may have a branch with this name, but names are resolved in PostgreSQL.
    return found.kind === 'found' && !found.commit.startsWith(digits) ? { kind: 'none' } : found;
  }

  return {
    load: search.load,
    read: (name, repositoryId, params, call) =>
      onNode(repositoryId, params.commit, call.signal, () => readCommit(name, repositoryId, params, call)),
    compare: (name, repositoryId, params, call) =>
      onNode(repositoryId, `${params.from} ${params.to}`, call.signal, () =>
        search.request(name, mirrors.folderOf(repositoryId), params, call),
      ),
    async *searchEach(repositories, query, call) {
      const here: (MirrorFolder & RepositoryCommit)[] = [];
      const elsewhere: RepositoryCommit[] = [];
      for (const each of repositories) {
        if (await mirrors.isOfOrigin(each.repositoryId))
          here.push({ ...each, ...mirrors.folderOf(each.repositoryId) });
        else elsewhere.push(each);
      }
      try {
        yield* search.searchEach(here, query, call);
      } catch (error) {
        throw explain(error);
      }
      for (const { repositoryId } of elsewhere) yield { repositoryId, outcome: { kind: 'missing' } };
    },
    review: (repositoryId, params, call) => requestReview('reviewChange', repositoryId, params, call),
    readChange: (repositoryId, params, call) => requestReview('readChange', repositoryId, params, call),
    judgeFinding: (repositoryId, params, call) => requestReview('judgeFinding', repositoryId, params, call),
    confirmUses: (repositoryId, params, call) => requestReview('confirmUses', repositoryId, params, call),
    readTexts: (repositoryId, params, call) =>
      onNode(repositoryId, params.files.map(({ commit }) => commit).join(' '), call.signal, () =>
        search.request('readTexts', mirrors.folderOf(repositoryId), params, call),
      ),
    async findCommit(repositoryId, digits, call) {
      const found = await lookUp(repositoryId, digits, call);
      if (found.kind !== 'none' || !(await mirrors.isBehind(repositoryId))) return found;
      await catchUp(repositoryId, call.signal);
      return lookUp(repositoryId, digits, call);
    },
    askOrigin: mirrors.ask,
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

function isFactRequest(name: string): name is FactRequestName {
  return name === 'commitFacts' || name === 'findSymbols' || name === 'fileFacts';
}

/** The commits that a review reads, as one text. */
function commitsOf(params: ReviewRequests[keyof ReviewRequests]['params']): string {
  if ('commit' in params) return params.commit;
  return typeof params.to === 'string' ? `${params.from} ${params.to}` : params.from;
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

function isMissing(error: unknown): boolean {
  return error instanceof ProcessFailure && error.reason === 'missing';
}

function lacking(cause: unknown): Problem {
  return new Problem('ref_not_found', 'This commit is missing or incomplete in the repository.', {
    cause,
  });
}

/** Maps failures of reading code to API problems. */
function explain(error: unknown): unknown {
  if (error instanceof NoTurn) return error.toProblem('searches');
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
