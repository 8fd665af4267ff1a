/** GET /api/v2/pull-requests/:pullRequestId/discussions: all discussions, and where their code is now. */
import { defineOperation } from '../../context.ts';
import { findPullRequest } from '../pull-requests/index.ts';
import { DiscussionList, ListDiscussionsInput } from './contract.ts';
import { readDiscussions } from './read-discussions.ts';
import { suggestionsBlockedBecause } from './suggestions/suggestions-blocked.ts';

export const listDiscussions = defineOperation({
  name: 'list-discussions',
  group: 'Reviews',
  summary: 'List the discussions of a pull request',
  http: { method: 'GET', path: '/api/v2/pull-requests/:pullRequestId/discussions', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: ListDiscussionsInput,
  output: DiscussionList,
  problems: ['not_found'],
  async run(context, { pullRequestId }) {
    const pullRequest = await findPullRequest(context, pullRequestId);
    return {
      discussions: await readDiscussions(context, pullRequest),
      suggestionsBlocked: await suggestionsBlockedBecause(context, pullRequest),
    };
  },
});
