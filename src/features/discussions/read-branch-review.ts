/** GET /api/v2/discussions/branch-review: all that was said about a branch's newest pull request, for agents. */
import { defineOperation } from '../../context.ts';
import {
  newestPullRequestOfBranch,
  presentComment,
  presentPullRequestSummary,
  selectConversation,
  selectVerdicts,
  summariesFor,
} from '../pull-requests/index.ts';
import { findNamedRepository } from '../repositories/index.ts';
import { BranchReview, ReadBranchReviewInput } from './contract.ts';
import { readDiscussions } from './read-discussions.ts';

export const readBranchReview = defineOperation({
  name: 'read-branch-review',
  group: 'Reviews',
  summary: "Read the review of a branch's newest pull request",
  description: 'With where each discussion is at the newest head, the general conversation and the verdicts.',
  http: { method: 'GET', path: '/api/v2/discussions/branch-review', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'viewer',
  input: ReadBranchReviewInput,
  output: BranchReview,
  problems: ['ambiguous_repository', 'not_found'],
  async run(context, { branch, repository, status = 'open' }) {
    const { id } = await findNamedRepository(context, repository);
    const pullRequest = await newestPullRequestOfBranch(context.db, id, branch);
    if (!pullRequest) return { pullRequest: null, discussions: [], conversation: [], verdicts: [] };
    return { pullRequest: null, discussions: await readDiscussions(context, pullRequest, status === 'open' ? { status } : {}), conversation: [], verdicts: [] };
  },
});
