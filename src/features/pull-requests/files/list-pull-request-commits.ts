/** GET /api/v2/pull-requests/:pullRequestId/commits: the commits of the newest head that the base doesn't have. */
import { defineOperation } from '../../../context.ts';
import { maskValue } from '../../../engines/review/index.ts';
import { LIMITS, ListPullRequestCommitsInput, PullRequestCommits } from '../contract.ts';
import { approvalBlockedBecause } from './approval-blocked.ts';
import { commitAuthorIds } from './commit-authors.ts';
import { openRange } from './open-range.ts';

export const listPullRequestCommits = defineOperation({
  name: 'list-pull-request-commits',
  group: 'Pull requests',
  summary: 'List the commits of a pull request',
  http: { method: 'GET', path: '/api/v2/pull-requests/:pullRequestId/commits', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListPullRequestCommitsInput,
  output: PullRequestCommits,
  problems: ['not_found', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, input) {
    const range = await openRange(context, input);
    const { commits: read, total } = await range.compare('listCommits', { limit: LIMITS.maxCommits });
    const commits = await maskValue(read);
    return {
      commits: commits
        .map((commit) => ({ ...commit, authoredAt: new Date(commit.authoredAt).toISOString() }))
        .reverse(),
      total,
      authorIds: await commitAuthorIds(range, context.db),
      approvalBlocked: await approvalBlockedBecause(context, range.pullRequest),
    };
  },
});
