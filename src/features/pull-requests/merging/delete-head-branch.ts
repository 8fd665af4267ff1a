/** POST /api/v2/pull-requests/:pullRequestId/delete-branch: deletes the head branch of a merged or closed one of plain git. */
import { type Context, defineOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { askForRefresh } from '../../repositories/index.ts';
import { withPullRequestAs } from '../changes/with-pull-request.ts';
import { DeleteHeadBranchInput, PullRequest } from '../contract.ts';
import { readPullRequest } from '../reading/read-pull-request.ts';
import { headKeptBecause } from '../rules/kept-head.ts';
import { deleteDeletions } from '../store/own-push-store.ts';
import { lockPullRequest, type PullRequestRow } from '../store/pull-request-store.ts';
import { moveClosedHead } from './closed-head.ts';

export const deleteHeadBranch = defineOperation({
  name: 'delete-head-branch',
  group: 'Pull requests',
  summary: 'Delete the head branch',
  description:
    'Deletes the head branch of a merged or closed pull request, if it is still at the head that the pull request has. The default branch, branches that a merge rule names, and branches of other open pull requests stay. Branches of a code host are deleted there.',
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/delete-branch', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: DeleteHeadBranchInput,
  output: PullRequest,
  problems: ['not_found', 'conflict', 'repository_not_ready', 'unavailable'],
  async run(context, { pullRequestId }) {
    const raced = (found: PullRequestRow) =>
      `New commits were pushed to ${found.head_branch} after it was ${found.state}. It was not deleted.`;
    const { found, pushId } = await moveClosedHead(context, pullRequestId, {
      kind: 'delete',
      isDone(tip, commit, closed) {
        if (tip !== null && tip !== commit) throw new Problem('conflict', raced(closed));
        return tip === null;
      },
      async check({ db, pullRequest }) {
        const why = await headKeptBecause(db, pullRequest);
        if (why !== null)
          throw new Problem('conflict', `${pullRequest.head_branch} can’t be deleted. ${why}`);
      },
      raced,
    });
    await finish(context, found, pushId);
    return readPullRequest(context.db, context.actor, pullRequestId);
  },
});

/** Parallel calls record one deletion, by the person whose push was sent. Nobody can repeat it after that. */
async function finish(context: Context, found: PullRequestRow, ownId: string | null): Promise<void> {
  const { clock, db, feed } = context;
  const { head_branch: branch, head_commit: commit, id, organization_id: organizationId } = found;
  await inTransaction(db, async (locked) => {
    await lockPullRequest(locked, organizationId, id);
    const pushes = await deleteDeletions(locked, id);
    const push = pushes.find((each) => each.id === ownId) ?? pushes[0];
    if (push) {
      const source = { kind: 'session', userId: push.user_id, credentialId: null, organizationId } as const;
      const services = { db: locked, announce: () => undefined };
      await withPullRequestAs(services, source, id, clock.now(), async (change) =>
        change.record('pull_request_branch_deleted', { branch, commit }),
      );
    }
    await askForRefresh(locked, found.repository_id);
  });
  feed.announce(id);
  feed.announce(found.repository_id);
}
