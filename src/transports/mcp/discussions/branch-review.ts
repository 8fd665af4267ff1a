/** A branch's newest pull request as the tools show it: the facts about it, and what an agent should do next. */
import { z } from 'zod';
import type { Operations } from '../../../operation-types.ts';
import { excerpt } from '../plans/thread-text.ts';
import { ours } from '../text/marking.ts';

export type BranchReview = Operations['read-branch-review']['output'];
export type PullRequest = NonNullable<BranchReview['pullRequest']>;
export type Discussion = BranchReview['discussions'][number];

export const PullRequestShape = z.object({
  number: z.int(),
  title: z.string(),
  state: ours('word').describe('`open`, `draft`, `merged` or `closed`.'),
  url: ours('page'),
  headCommit: ours('id').optional().describe('The newest commit; absent until it was fetched.'),
  verdict: ours('word')
    .optional()
    .describe('Of all reviewers together: `approved` or `changes_requested`; absent without one.'),
  statuses: z
    .array(z.object({ name: z.string(), state: ours('word'), url: z.string().optional() }))
    .optional()
    .describe('Of CI and other tools at `headCommit`, those that did not succeed first; at most ten.'),
  planIds: z.array(ours('id')).optional().describe('Plans that it implements, at most three.'),
});

const MAX_PLANS = 3;
const MAX_STATUSES = 10;

export function presentPullRequest(
  pullRequest: PullRequest,
  baseUrl: string,
): z.input<typeof PullRequestShape> {
  const { headCommit, number, plans, state, statuses, title, verdict } = pullRequest;
  const isFine = (status: (typeof statuses)[number]) => Number(status.state === 'success');
  const worstFirst = statuses.toSorted((left, right) => isFine(left) - isFine(right));
  return {
    number,
    title: excerpt(title),
    state,
    url: pullRequestUrl(baseUrl, pullRequest),
    headCommit: headCommit ?? undefined,
    verdict: verdict ?? undefined,
    statuses:
      statuses.length > 0
        ? worstFirst
            .slice(0, MAX_STATUSES)
            .map((status) => ({ name: status.name, state: status.state, url: status.url ?? undefined }))
        : undefined,
    planIds: plans.length > 0 ? plans.slice(0, MAX_PLANS).map(({ seriesId }) => seriesId) : undefined,
  };
}

/** Its page on the code host; for plain git, its page here. */
export function pullRequestUrl(baseUrl: string, { id, url }: Pick<PullRequest, 'id' | 'url'>): string {
  return url ?? `${baseUrl}/pull-requests/${id}`;
}

/** Whether nobody has answered since a reviewer last wrote: agents answer for the author. */
export function isWaitingForAgent({ comments, status }: Discussion): boolean {
  return status === 'open' && comments.at(-1)?.author.kind !== 'agent';
}

export const NO_PULL_REQUEST =
  'The branch has no pull request. Check the name of the branch. If it is pushed, open one with `open_pull_request`, or on the code host if the repository is connected to one.';

/** Advice for a pull request that is no longer under review; undefined while it is. */
export function nextIfEnded(state: PullRequest['state']): string | undefined {
  if (state === 'merged') return 'The pull request is merged. Nothing is left to do; tell the user.';
  if (state === 'closed') return 'The pull request was closed without a merge. Ask the user how to proceed.';
  return undefined;
}
