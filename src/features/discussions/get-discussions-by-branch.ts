/** GET /api/v2/discussions/by-branch (endpoint 3): the discussions of a branch's newest pull request. */
import { z } from 'zod';
import { defineOperation } from '../../context.ts';
import { newestPullRequestOfBranch } from '../pull-requests/index.ts';
import { findNamedRepository } from '../repositories/index.ts';
import { BranchDiscussion, GetDiscussionsByBranchInput } from './contract.ts';
import { selectBranchDiscussions } from './discussion-store.ts';
import { presentBranchDiscussion } from './present-discussion.ts';

export const getDiscussionsByBranch = defineOperation({
  name: 'get-discussions-by-branch',
  group: 'Reviews',
  summary: "List the review discussions of a branch's newest pull request",
  description:
    'The pull request that was created last counts, whatever its state. Empty if the branch has no pull request. The file and lines are those of the commit that was commented on.',
  http: { method: 'GET', path: '/api/v2/discussions/by-branch', status: 200 },
  accepts: ['key', 'session', 'oauth'],
  role: 'viewer',
  input: GetDiscussionsByBranchInput,
  output: z.array(BranchDiscussion).describe('Oldest first.'),
  problems: ['ambiguous_repository', 'not_found'],
  example: {
    request: { repository: 'acme/api', branch: 'retry-webhooks', status: 'open' },
    reply: [
      {
        id: '0199a8f2-6b3c-7d41-9e52-1f0c7a9b4e10',
        file: 'src/retry.ts',
        startLine: 12,
        endLine: 14,
        commentedCode: 'for (;;) {\n  await send();\n}',
        status: 'open',
        reviewerTitle: 'Grace Hopper',
        comments: [
          {
            author: 'Grace Hopper',
            body: 'This never gives up. Limit the number of attempts.',
            createdAt: '2026-11-02T09:30:00.000Z',
          },
        ],
      },
    ],
  },
  async run(context, { branch, repository, status = 'open' }) {
    const { id } = await findNamedRepository(context, repository);
    const pullRequest = await newestPullRequestOfBranch(context.db, context.actor, id, branch);
    if (!pullRequest) return [];
    const { comments, discussions } = await selectBranchDiscussions(context.db, pullRequest.id, status);
    return discussions.map((row) => presentBranchDiscussion(row, comments.get(row.id) ?? []));
  },
});
