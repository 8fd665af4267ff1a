/** GET /api/v2/pull-requests: pull requests in the repositories that the caller can see, most recently updated first. */
import { defineOperation } from '../../../context.ts';
import {
  cutPage,
  DEFAULT_LIMIT,
  readTimeCursor,
  timeCursorOf,
} from '../../../platform/core/operations/page.ts';
import { ListPullRequestsInput, PullRequestPage } from '../contract.ts';
import { selectPullRequests } from '../store/pull-request-list-store.ts';
import { presentPullRequestSummary } from './present-pull-request.ts';

export const listPullRequests = defineOperation({
  name: 'list-pull-requests',
  group: 'Pull requests',
  summary: 'List pull requests',
  http: { method: 'GET', path: '/api/v2/pull-requests', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: ListPullRequestsInput,
  output: PullRequestPage,
  problems: [],
  async run({ actor, db }, input) {
    const limit = input.limit ?? DEFAULT_LIMIT;
    const rows = await selectPullRequests(db, actor, {
      scope: input.scope ?? 'all',
      repositoryId: input.repositoryId,
      authorId: input.authorId,
      label: input.label,
      assigneeId: input.assigneeId,
      reviewerId: input.reviewerId,
      state: input.state ?? 'active',
      openDiscussions: input.openDiscussions ?? false,
      search: input.search,
      before: readTimeCursor(input.cursor),
      limit: limit + 1,
    });
    const { nextCursor, page } = cutPage(rows, limit, (row) => timeCursorOf(row.updated_at, row.id));
    return { pullRequests: page.map(presentPullRequestSummary), nextCursor };
  },
});
