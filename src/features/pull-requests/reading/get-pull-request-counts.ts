/** GET /api/v2/pull-requests/counts: how many open pull requests are the caller's, and how many wait for their review. */
import { defineOperation } from '../../../context.ts';
import { GetPullRequestCountsInput, PullRequestCounts } from '../contract.ts';
import { countPullRequests } from '../store/pull-request-list-store.ts';

const MAX_COUNTED = 100;

export const getPullRequestCounts = defineOperation({
  name: 'get-pull-request-counts',
  group: 'Pull requests',
  summary: 'Count your open pull requests',
  http: { method: 'GET', path: '/api/v2/pull-requests/counts', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: GetPullRequestCountsInput,
  output: PullRequestCounts,
  problems: [],
  run: ({ actor, db }) => countPullRequests(db, actor, MAX_COUNTED),
});
