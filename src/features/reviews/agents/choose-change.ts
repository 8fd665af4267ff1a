/** Finds the change that an agent asks to review: a pull request, a pushed branch, or changes that are not pushed. */
import type { z } from 'zod';
import { type Context, callOf } from '../../../context.ts';
import { invalidRequest, notFound, Problem } from '../../../platform/core/errors/errors.ts';
import {
  type FoundPullRequest,
  findPullRequest,
  newestPullRequestOfBranch,
  selectPullRequestByNumber,
} from '../../pull-requests/index.ts';
import { type FoundRepository, findCommitOf, findNamedRepository } from '../../repositories/index.ts';
import type { StartReviewInput } from './agent-review-contract.ts';

export interface ChosenChange {
  repository: FoundRepository;
  pullRequest: FoundPullRequest | null;
  from: string;
  to: string | { patch: string };
}

const RETRY_AFTER_SECONDS = 5;

type Input = z.output<typeof StartReviewInput>;

export async function chooseChange(context: Context, input: Input): Promise<ChosenChange> {
  const { base, branch, diff, prNumber } = input;
  if (input.repository === undefined) throw invalidRequest([{ path: 'repository', message: 'is required' }]);
  if ([branch, diff, prNumber].filter((each) => each !== undefined).length !== 1) {
    throw invalidRequest([
      {
        path: 'prNumber',
        message: 'is one way to name the change: send one of `prNumber`, `branch` and `diff`',
      },
    ]);
  }
  const repository = await findNamedRepository(context, input.repository);
  if (prNumber !== undefined) {
    const found = await selectPullRequestByNumber(
      ...([context.db, context.actor.organizationId, repository.id, prNumber] as const),
    );
    if (!found) throw notFound('The pull request');
    return ofPullRequest(repository, await findPullRequest(context, found.id));
  }
  if (diff !== undefined) {
    if (base === undefined) {
      const message = 'is required with `diff`: a pushed commit, such as `git merge-base HEAD origin/main`';
      throw invalidRequest([{ path: 'base', message }]);
    }
    const from = await findCommit(context, repository, base, 'base');
    return { repository, pullRequest: null, from, to: { patch: diff } };
  }
  const newest = await newestPullRequestOfBranch(context.db, context.actor, repository.id, branch!);
  if (newest && isOpen(newest) && base === undefined) return ofPullRequest(repository, newest);
  const to = await findCommit(context, repository, branch!, 'branch');
  const onto = base ?? repository.default_branch ?? 'HEAD';
  const baseCommit = await findCommit(context, repository, onto, 'base');
  const pair = { from: to, to: baseCommit };
  const from = await context.code.compare('mergeBase', repository.id, pair, callOf(context));
  if (from === null) throw new Problem('conflict', 'The branch and its base have no common history.');
  return { repository, pullRequest: null, from, to };
}

function ofPullRequest(repository: FoundRepository, pullRequest: FoundPullRequest): ChosenChange {
  if (!isOpen(pullRequest)) throw new Problem('conflict', `#${pullRequest.number} is ${pullRequest.state}.`);
  if (pullRequest.head_commit === null || pullRequest.merge_base === null) {
    const options = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    throw new Problem('repository_not_ready', 'The code of this pull request is being fetched.', options);
  }
  return { repository, pullRequest, from: pullRequest.merge_base, to: pullRequest.head_commit };
}

function isOpen({ state }: FoundPullRequest): boolean {
  return state === 'open' || state === 'draft';
}

/** The agent may have pushed just now, so the origin is asked. */
async function findCommit(
  context: Context,
  repository: FoundRepository,
  ref: string,
  field: 'branch' | 'base',
): Promise<string> {
  if (ref === 'HEAD' && repository.head_commit !== null) return repository.head_commit;
  const services = { db: context.db, code: context.code, call: callOf(context) };
  // Fewer digits are rather the name of a branch that isn't there.
  return findCommitOf(services, repository, ref, { field, isPushed: true, minDigits: 7 });
}
