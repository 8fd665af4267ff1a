/** Opens a pull request between two branches of a repository, for the operation and the command line. */
import { maskTexts } from '../../../engines/review/index.ts';
import { invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import type { ChangeSource } from '../../events/index.ts';
import type { FoundRepository } from '../../repositories/index.ts';
import { insertPullRequest } from '../changes/pull-request-change.ts';
import type { NewPullRequest } from '../store/pull-request-store.ts';
import { askNamed } from './ask-named.ts';
import { compareBranches } from './compare-branches.ts';
import { lockNumbers, nextNumber, selectHostOf, selectSameBranches } from './plain-git-store.ts';

const RETRY_AFTER_SECONDS = 5;

export interface BranchesToReview {
  head: string;
  base?: string | undefined;
  title: string;
  description?: string | undefined;
  draft?: boolean | undefined;
  /** As they are mentioned. */
  reviewers?: string[] | undefined;
  skipIfOpen?: boolean | undefined;
  /** The merged pull request that it reverts. */
  revertsId?: string | undefined;
}

/** Everything is checked before the transaction that writes. Returns what to announce after its commit. */
export async function openPlainGit(
  services: { db: Db; code: Pick<CodeReader, 'askOrigin' | 'compare'>; call: Call; now: Date },
  by: { source: ChangeSource; author: NewPullRequest['author']; organizationId: string },
  repository: FoundRepository,
  wanted: BranchesToReview,
): Promise<{ id: string; number: number; topics: string[]; alreadyOpen: boolean }> {
  const { db, now } = services;
  const host = await selectHostOf(db, repository.id);
  if (host) {
    throw new Problem(
      'conflict',
      `Pull requests of ${repository.name} are opened on ${host.url}. Open it there.`,
    );
  }
  if (repository.state !== 'ready') {
    const options = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    throw new Problem('repository_not_ready', `${repository.name} has not been cloned yet.`, options);
  }
  const base = wanted.base ?? repository.default_branch;
  if (base === null)
    throw invalidRequest([{ path: 'base', message: 'is required: the repository has no default branch' }]);
  const branches = { head: wanted.head, base };
  const compared = await compareBranches(services, repository, { ...branches, field: 'head' });
  const [title, description] = await maskTexts([wanted.title, wanted.description ?? '']);
  return inTransaction(db, async (transaction) => {
    await lockNumbers(transaction, repository.id);
    const same = await selectSameBranches(transaction, { repositoryId: repository.id, ...branches });
    if (same && wanted.skipIfOpen) return { ...same, topics: [], alreadyOpen: true };
    if (same) throw alreadyOpen(same, branches);
    const change = await insertPullRequest(
      transaction,
      {
        id: uuidv7(),
        organizationId: by.organizationId,
        repositoryId: repository.id,
        number: await nextNumber(transaction, repository.id),
        origin: 'git',
        title: title!,
        description: description!,
        state: wanted.draft ? 'draft' : 'open',
        author: by.author,
        headRepository: null,
        headBranch: branches.head,
        baseBranch: base,
        labels: [],
        url: null,
        revertsId: wanted.revertsId,
        createdAt: now,
        updatedAt: now,
        mergedAt: null,
        closedAt: null,
      },
      now,
    );
    if (!change) throw new Error('A number was given twice.');
    change.record('pull_request_opened', { headCommit: compared.headCommit });
    await change.recordHead({
      commit: compared.headCommit,
      baseCommit: compared.baseCommit,
      mergeBase: compared.mergeBase,
      forced: null,
    });
    await askNamed(change, wanted.reviewers ?? []);
    const topics = await change.write(by.source);
    const { id, number } = change.pullRequest;
    return { id, number, topics, alreadyOpen: false };
  });
}

/** The repository's numbers must be locked. */
export async function refuseSameBranches(
  db: Db,
  branches: Parameters<typeof selectSameBranches>[1],
): Promise<void> {
  const same = await selectSameBranches(db, branches);
  if (same) throw alreadyOpen(same, branches);
}

function alreadyOpen(
  { number }: { number: number },
  { base, head }: { head: string; base: string },
): Problem {
  return new Problem('conflict', `#${number} is already open for ${head} into ${base}.`);
}
