/** GET /api/v2/discussions/branch-review: all that was said about a branch's newest pull request, for agents. */
import { defineOperation } from '../../context.ts';
import { newestPullRequestOfBranch, readPullRequest } from '../pull-requests/index.ts';
import { findNamedRepository } from '../repositories/index.ts';
import { BranchReview, ReadBranchReviewInput } from './contract.ts';
import { readDiscussions } from './read-discussions.ts';

export const readBranchReview = defineOperation({
  name: 'read-branch-review',
  group: 'Reviews',
  summary: "Read the review of a branch's newest pull request",
  description:
    'The pull request with its conversation and verdicts, and where each discussion is at the newest head.',
  http: { method: 'GET', path: '/api/v2/discussions/branch-review', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: ReadBranchReviewInput,
  output: BranchReview,
  problems: ['ambiguous_repository', 'not_found'],
  async run(context, { branch, repository, status = 'open' }) {
    const { actor, db } = context;
    const { id } = await findNamedRepository(context, repository);
    const newest = await newestPullRequestOfBranch(db, actor, id, branch);
    if (!newest) return { pullRequest: null, discussions: [] };
    return {
      pullRequest: await readPullRequest(db, actor, newest.id),
      discussions: await readDiscussions(context, newest, status === 'open' ? { status } : {}),
    };
  },
});
