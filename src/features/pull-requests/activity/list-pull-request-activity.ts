/** GET /api/v2/pull-requests/:pullRequestId/activity: its events, newest first. */
import { defineOperation } from '../../../context.ts';
import { cutPage, DEFAULT_LIMIT, readCursor } from '../../../platform/core/operations/page.ts';
import { presentEvent, selectEventsBefore } from '../../events/index.ts';
import { ListPullRequestActivityInput, PullRequestActivity } from '../contract.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';

export const listPullRequestActivity = defineOperation({
  name: 'list-pull-request-activity',
  group: 'Pull requests',
  summary: 'List the activity on a pull request',
  description: 'Each event has the actor, how they authenticated, the time, and what changed.',
  http: { method: 'GET', path: '/api/v2/pull-requests/:pullRequestId/activity', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: ListPullRequestActivityInput,
  output: PullRequestActivity,
  problems: ['not_found'],
  async run(context, input) {
    const limit = input.limit ?? DEFAULT_LIMIT;
    const before = readCursor(input.cursor, [(value) => /^\d{1,15}$/.test(value)])?.[0];
    const { id } = await findPullRequest(context, input.pullRequestId);
    const number = before === undefined ? undefined : Number(before);
    const rows = await selectEventsBefore(context.db, id, number, limit + 1);
    const { nextCursor, page } = cutPage(rows, limit, (row) => [row.number]);
    return { events: page.map(presentEvent), nextCursor };
  },
});
