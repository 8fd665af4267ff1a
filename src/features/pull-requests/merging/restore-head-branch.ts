/** POST /api/v2/pull-requests/:pullRequestId/restore-branch: pushes the head branch of a merged or closed one of plain git again. */
import { type Context, defineOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { askForRefresh } from '../../repositories/index.ts';
import { withPullRequest } from '../changes/with-pull-request.ts';
import { PullRequest, RestoreHeadBranchInput } from '../contract.ts';
import { readPullRequest } from '../reading/read-pull-request.ts';
import { protectedBecause } from '../rules/protected-head.ts';
import { deleteRestores, isRestored } from '../store/own-push-store.ts';
import { moveClosedHead } from './closed-head.ts';

export const restoreHeadBranch = defineOperation({
  name: 'restore-head-branch',
  group: 'Pull requests',
  summary: 'Restore the head branch',
  description:
    'Pushes the head branch of a merged or closed pull request again, at the head that the pull request has, if no branch has this name. The default branch and branches that a merge rule names are not restored here. Branches of a code host are restored there.',
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/restore-branch', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: RestoreHeadBranchInput,
  output: PullRequest,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, { pullRequestId }) {
    const { actor, db } = context;
    await moveClosedHead(context, pullRequestId, {
      kind: 'restore',
      async isDone(tip, commit, { head_branch: branch }) {
        if (tip === null) return false;
        // A second click, or one after a crash.
        if (tip === commit && (await isRestored(db, pullRequestId))) return true;
        throw new Problem('conflict', `The branch ${branch} exists again.`);
      },
      async check({ db: locked, pullRequest }) {
        const { head_branch: branch, organization_id, repository_id: repositoryId } = pullRequest;
        const repository = { organizationId: organization_id, repositoryId };
        const why = await protectedBecause(locked, repository, branch);
        if (why !== null) throw new Problem('conflict', `${branch} can’t be restored. ${why}`);
      },
      raced: ({ head_branch: branch }) => `The branch ${branch} was made and deleted just now. Try again.`,
    });
    await finish(context, pullRequestId);
    return readPullRequest(db, actor, pullRequestId);
  },
});

/** Several at once record it once. From then on nobody else can repeat the push. */
async function finish(context: Context, pullRequestId: string): Promise<void> {
  const repositoryId = await withPullRequest(context, pullRequestId, async (change) => {
    const { head_branch: branch, head_commit: commit, repository_id } = change.pullRequest;
    if ((await deleteRestores(change.db, pullRequestId)) > 0)
      change.record('pull_request_branch_restored', { branch, commit });
    await askForRefresh(change.db, repository_id);
    return repository_id;
  });
  context.feed.announce(repositoryId);
}
