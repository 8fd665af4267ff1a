/** The two commits of a pull request to compare, and the way to compare them. */
import type { Context } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type {
  DifferenceRequestName,
  DifferenceRequests,
} from '../../../platform/core/ports/code-differences.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import type { FoundPullRequest } from '../store/pull-request-store.ts';

const RETRY_AFTER_SECONDS = 5;

export interface OpenRange {
  pullRequest: FoundPullRequest;
  from: string;
  to: string;
  compare<Name extends DifferenceRequestName>(
    name: Name,
    params: Omit<DifferenceRequests[Name]['params'], 'from' | 'to'>,
  ): Promise<DifferenceRequests[Name]['result']>;
}

/** By default from the merge base of the newest head to that head; any two commits of the repository can be compared. */
export async function openRange(
  context: Context,
  input: { pullRequestId: string; from?: string | undefined; to?: string | undefined },
): Promise<OpenRange> {
  return rangeOf(context, await findPullRequest(context, input.pullRequestId), input);
}

export async function rangeOf(
  context: Context,
  pullRequest: FoundPullRequest,
  input: { from?: string | undefined; to?: string | undefined } = {},
): Promise<OpenRange> {
  const call = { caller: context.actor, signal: context.disconnected() };
  const { code } = context;
  const to = input.to ?? pullRequest.head_commit ?? notFetched();
  const from = input.from ?? pullRequest.merge_base ?? (await findBase());
  return {
    pullRequest,
    from,
    to,
    compare: (name, params) =>
      code.compare(
        name,
        pullRequest.repository_id,
        { ...params, from, to } as DifferenceRequests[typeof name]['params'],
        call,
      ),
  };

  /** Without a common ancestor, everything differs from the base. */
  async function findBase(): Promise<string> {
    const base = pullRequest.base_commit ?? notFetched();
    const pair = { from: base, to: pullRequest.head_commit ?? to };
    return (await code.compare('mergeBase', pullRequest.repository_id, pair, call)) ?? base;
  }
}

function notFetched(): never {
  throw new Problem('repository_not_ready', 'The commits of this pull request have not been fetched yet.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
