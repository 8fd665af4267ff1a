/** POST /api/v2/pull-requests/:pullRequestId/update-branch: merges the base branch into the head branch of one of plain git. */
import { defineOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { UpdatedBranch, UpdateHeadBranchInput } from '../contract.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { notPushed, pushToHead, requireUpdatable } from './push-to-head.ts';

export const updateHeadBranch = defineOperation({
  name: 'update-head-branch',
  group: 'Pull requests',
  summary: 'Update the head branch',
  description:
    'Merges the base branch into the head branch, as a commit of the caller, who then can’t approve the pull request. Approvals count afterward only if the merge rule keeps them and the patch is the same. Branches of a code host are updated there.',
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/update-branch', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: UpdateHeadBranchInput,
  output: UpdatedBranch,
  problems: ['not_found', 'conflict', 'repository_not_ready', 'unavailable'],
  async run(context, { expectedHead, pullRequestId }) {
    const found = await findPullRequest(context, pullRequestId);
    const seen = { head: expectedHead };
    await requireUpdatable(context, found, seen);
    const { base_branch: base, base_commit: baseCommit, head_branch: branch } = found;
    if (baseCommit === null)
      throw new Problem('conflict', 'The head branch can’t be compared with its base.');
    const message = `Merge branch '${base}' into ${branch}`;
    const change = { kind: 'merge' as const, base: expectedHead, head: baseCommit, message };
    const outcome = await pushToHead(context, found, { change, seen });
    if (outcome.kind !== 'pushed') throw notPushed(outcome, found);
    return { commit: outcome.made.commit };
  },
});
