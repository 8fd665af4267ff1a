/** GET /api/v2/pull-requests/:pullRequestId: one pull request with its heads, reviews and general conversation. */
import { defineOperation } from '../../../context.ts';
import { GetPullRequestInput, PullRequest } from '../contract.ts';
import { readPullRequest } from './read-pull-request.ts';

export const getPullRequest = defineOperation({
  name: 'get-pull-request',
  group: 'Pull requests',
  summary: 'Get a pull request',
  http: { method: 'GET', path: '/api/v2/pull-requests/:pullRequestId', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: GetPullRequestInput,
  output: PullRequest,
  problems: ['not_found'],
  run: ({ actor, db }, { pullRequestId }) => readPullRequest(db, actor, pullRequestId),
});
