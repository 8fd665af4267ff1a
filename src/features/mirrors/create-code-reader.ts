/** Reads and searches code on this node. */

import type { CodeFacts } from '../../engines/facts/index.ts';
import { type FailureReason, ProcessFailure } from '../../engines/processes/index.ts';
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
import type { Call } from '../../platform/core/work/fair-queue.ts';
import type { Mirrors } from './create-mirrors.ts';
import type { MirrorFolder } from './mirror-folders.ts';
import { createMirrorRequests, explain, isMissing } from './mirror-requests.ts';

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
  const { catchUp, onNode } = createMirrorRequests(mirrors);

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
    mergeTrees: (repositoryId, params, call) =>
      onNode(repositoryId, [params.base, ...params.heads].join(' '), call.signal, () =>
        search.request('mergeTrees', mirrors.folderOf(repositoryId), params, call),
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

function isFactRequest(name: string): name is FactRequestName {
  return name === 'commitFacts' || name === 'findSymbols' || name === 'fileFacts';
}

/** The commits that a review reads, as one text. */
function commitsOf(params: ReviewRequests[keyof ReviewRequests]['params']): string {
  if ('commit' in params) return params.commit;
  return typeof params.to === 'string' ? `${params.from} ${params.to}` : params.from;
}
