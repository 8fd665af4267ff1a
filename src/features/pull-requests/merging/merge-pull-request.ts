/** POST /api/v2/pull-requests/:pullRequestId/merge: merges a pull request of plain git at its origin. */
import { callOf, defineOperation } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { callerOf } from '../../audit/index.ts';
import { requireActive } from '../changes/require-active.ts';
import { MergePullRequestInput, PullRequest } from '../contract.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { readPullRequest } from '../reading/read-pull-request.ts';
import { attemptMerge } from './attempt-merge.ts';

export const mergePullRequest = defineOperation({
  name: 'merge-pull-request',
  group: 'Pull requests',
  summary: 'Merge a pull request',
  description:
    'Makes the commits here and pushes them to the base branch, if the merge rule of the branch is met at exactly the head and base that you send. `merge` in the reply says what came of the push: merged, failed and why, or not known yet. Agents and keys never merge; pull requests of a code host are merged there.',
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/merge', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: MergePullRequestInput,
  output: PullRequest,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready'],
  async run(context, { pullRequestId, ...wanted }) {
    const { actor, baseUrl, clock, code, db, feed, log } = context;
    const found = await findPullRequest(context, pullRequestId);
    if (found.origin === 'host') {
      throw new Problem('conflict', `Merge this pull request on its code host: ${found.url}`);
    }
    requireActive(found);
    const services = {
      db,
      code,
      log,
      announce: (topic: string) => feed.announce(topic),
      now: () => clock.now(),
      baseUrl: () => baseUrl,
    };
    const by = { userId: actor.userId, source: actor, audit: callerOf(context) };
    // A client that disconnects doesn't interrupt a push.
    const call = { ...callOf(context), signal: AbortSignal.timeout(MAX_MS) };
    await attemptMerge(services, by, found, wanted, call);
    return readPullRequest(db, actor, pullRequestId);
  },
});

const MAX_MS = 3 * 60_000;
