/** GET /api/v2/pull-requests/:pullRequestId/merge-conflicts: what conflicts with the base branch, to resolve it. */
import { callOf, defineOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { ConflictsToResolve, ListMergeConflictsInput } from '../contract.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { headBlockedBecause } from './push-to-head.ts';

export const listMergeConflicts = defineOperation({
  name: 'list-merge-conflicts',
  group: 'Pull requests',
  summary: 'List the conflicts to resolve',
  description:
    'Both sides of each conflict, whole, for `resolve-merge-conflicts`. Empty if nothing conflicts. Conflicts of a code host are resolved there.',
  http: { method: 'GET', path: '/api/v2/pull-requests/:pullRequestId/merge-conflicts', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ListMergeConflictsInput,
  output: ConflictsToResolve,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, { pullRequestId }) {
    const found = await findPullRequest(context, pullRequestId);
    const { base_commit: base, head_commit: head, origin, repository_id: repositoryId, state } = found;
    if (origin === 'host')
      throw new Problem('conflict', `Resolve the conflicts on the code host: ${found.url}`);
    if (state !== 'open' && state !== 'draft')
      throw new Problem('conflict', 'Conflicts can only be resolved while the pull request is open.');
    const conflicts =
      head !== null && base !== null
        ? await context.code.readConflicts(repositoryId, { on: head, other: base }, callOf(context))
        : null;
    if (head === null || base === null || !conflicts)
      throw new Problem('conflict', 'git can’t merge these branches, such as without common history.');
    return { head, base, ...conflicts, blocked: await headBlockedBecause(context, found) };
  },
});
