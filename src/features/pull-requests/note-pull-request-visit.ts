/** PUT /api/v2/pull-requests/:pullRequestId/visits: remember which head you looked at, to show what changed since. */
import { defineOperation } from '../../context.ts';
import { invalidRequest } from '../../platform/core/errors.ts';
import { NotePullRequestVisitInput } from './contract.ts';
import { findPullRequest } from './find-pull-request.ts';
import { writeVisit } from './reader-store.ts';

export const notePullRequestVisit = defineOperation({
  name: 'note-pull-request-visit',
  group: 'Pull requests',
  summary: 'Remember the head you looked at',
  http: { method: 'PUT', path: '/api/v2/pull-requests/:pullRequestId/visits', status: 204 },
  accepts: ['session'],
  role: 'viewer',
  input: NotePullRequestVisitInput,
  output: null,
  problems: ['not_found'],
  async run(context, { head, pullRequestId }) {
    const { actor, clock, db } = context;
    const { id } = await findPullRequest(context, pullRequestId);
    if (!(await writeVisit(db, actor, { pullRequestId: id, head, at: clock.now() }))) {
      throw invalidRequest([{ path: 'head', message: 'must be a head of this pull request' }]);
    }
  },
});
