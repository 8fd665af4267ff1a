/** PUT /api/v2/pull-requests/:pullRequestId/last-seen-head: remember which head you looked at, to show what changed since. */
import { defineOperation } from '../../../context.ts';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import { MarkHeadSeenInput } from '../contract.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { writeLastSeenHead } from './reader-store.ts';

export const markHeadSeen = defineOperation({
  name: 'mark-head-seen',
  group: 'Pull requests',
  summary: 'Remember the head you looked at',
  http: { method: 'PUT', path: '/api/v2/pull-requests/:pullRequestId/last-seen-head', status: 204 },
  accepts: ['session'],
  role: 'viewer',
  input: MarkHeadSeenInput,
  output: null,
  problems: ['not_found'],
  async run(context, { head, pullRequestId }) {
    const { actor, clock, db } = context;
    const { id } = await findPullRequest(context, pullRequestId);
    if (!(await writeLastSeenHead(db, actor, { pullRequestId: id, head, at: clock.now() }))) {
      throw invalidRequest([{ path: 'head', message: 'must be a head of this pull request' }]);
    }
  },
});
