/** DELETE /api/v2/pull-requests/:pullRequestId/merge-when-ready: turns it off, by the person whose it is or an admin. */
import { defineOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { hasRole } from '../../../platform/core/operations/actor.ts';
import { changeAndReadPullRequest } from '../changes/with-pull-request.ts';
import { EndMergeWhenReadyInput, PullRequest } from '../contract.ts';
import { isBeingMerged } from '../store/merge-store.ts';
import { selectWaitingMerge } from '../store/waiting-merge-store.ts';

export const endMergeWhenReady = defineOperation({
  name: 'end-merge-when-ready',
  group: 'Pull requests',
  summary: 'Do not merge a pull request when it is ready',
  description: 'Only the person who turned it on and admins can. Does nothing if it is off.',
  http: { method: 'DELETE', path: '/api/v2/pull-requests/:pullRequestId/merge-when-ready', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: EndMergeWhenReadyInput,
  output: PullRequest,
  problems: ['not_found', 'conflict', 'forbidden'],
  async run(context, { pullRequestId }) {
    const { actor } = context;
    return changeAndReadPullRequest(context, pullRequestId, async (change) => {
      const waiting = await selectWaitingMerge(change.db, change.pullRequest.id);
      if (!waiting) return;
      if (waiting.user_id !== actor.userId && !hasRole(actor.role, 'admin')) {
        throw new Problem('forbidden', `Only ${waiting.user_name} and admins can turn this off.`);
      }
      if (await isBeingMerged(change.db, change.pullRequest.id))
        throw new Problem('conflict', 'This pull request is being merged right now.');
      await change.endWaitingMerge('by_hand');
    });
  },
});
