/** PUT /api/v2/pull-requests/:pullRequestId/merge-when-ready: merges a pull request of plain git as soon as nothing is missing. */
import { callOf, defineOperation } from '../../../context.ts';
import { maskText } from '../../../engines/review/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { requireActive } from '../changes/require-active.ts';
import { changeAndReadPullRequest } from '../changes/with-pull-request.ts';
import { PullRequest, SetMergeWhenReadyInput } from '../contract.ts';
import { rebaseBlocked } from '../merging/rebase-blocked.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { mergeabilityOf } from '../rules/mergeability-of.ts';
import { readMergeRequirements } from '../rules/read-merge-requirements.ts';
import { isBeingMerged } from '../store/merge-store.ts';
import { selectWaitingMerge, upsertWaitingMerge } from '../store/waiting-merge-store.ts';

export const setMergeWhenReady = defineOperation({
  name: 'set-merge-when-ready',
  group: 'Pull requests',
  summary: 'Merge a pull request when it is ready',
  description:
    'Merges it for you once the merge rule of its base branch is met, which is evaluated again at that moment, including whether you may merge. A push turns it off, unless the patch stays the same and the rule keeps approvals then; so do conflicts, another base branch and closing. A rule can’t be bypassed this way. Calling it again replaces your choice.',
  http: { method: 'PUT', path: '/api/v2/pull-requests/:pullRequestId/merge-when-ready', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: SetMergeWhenReadyInput,
  output: PullRequest,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, { pullRequestId, ...wanted }) {
    const { actor, code } = context;
    const found = await findPullRequest(context, pullRequestId);
    if (found.origin === 'host') {
      throw new Problem('conflict', `Merge this pull request on its code host: ${found.url}`);
    }
    const { base_commit: base, head_commit: head } = found;
    // Another head is refused below.
    if (wanted.method === 'rebase' && base !== null && head === wanted.head) {
      const why = await rebaseBlocked(code, found, { base, head }, callOf(context));
      if (why !== null) throw new Problem('conflict', `${why} Merge or squash it.`);
    }
    const message = wanted.message?.trim() ? await maskText(wanted.message) : null;
    return changeAndReadPullRequest(context, found.id, async (change) => {
      const { at, db, pullRequest } = change;
      requireActive(pullRequest);
      if (pullRequest.head_commit !== wanted.head) {
        throw new Problem(
          'conflict',
          'New commits were pushed to the branch. Look at the changes and try again.',
        );
      }
      if (await isBeingMerged(db, found.id))
        throw new Problem('conflict', 'This pull request is being merged right now.');
      const before = await selectWaitingMerge(db, found.id);
      if (before && before.user_id !== actor.userId)
        throw new Problem('conflict', `${before.user_name} turned this on already.`);
      const { requirements } = await readMergeRequirements(db, pullRequest, actor);
      const hasConflicts = mergeabilityOf(pullRequest) === 'conflicts';
      const never = requirements.find(
        ({ isMet, kind }) =>
          !isMet && (kind === 'who_may_merge' || (kind === 'mergeability' && hasConflicts)),
      );
      if (never)
        throw new Problem('conflict', never.detail ? `${never.title}: ${never.detail}` : never.title);
      await upsertWaitingMerge(db, {
        id: uuidv7(),
        pullRequestId: found.id,
        organizationId: actor.organizationId,
        userId: actor.userId,
        head: wanted.head,
        baseBranch: pullRequest.base_branch,
        method: wanted.method,
        message,
        deleteBranch: wanted.deleteBranch ?? false,
        at,
      });
      change.record('pull_request_merge_when_ready', {
        isOn: true,
        userId: actor.userId,
        method: wanted.method,
        headCommit: wanted.head,
      });
    });
  },
});
