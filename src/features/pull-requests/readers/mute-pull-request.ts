/** POST /api/v2/pull-requests/:pullRequestId/mute: what happens there no longer shows up in your inbox. */
import { defineOperation } from '../../../context.ts';
import { MutePullRequestInput } from '../contract.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { insertMute } from './reader-store.ts';

export const mutePullRequest = defineOperation({
  name: 'mute-pull-request',
  group: 'Pull requests',
  summary: 'Mute a pull request',
  description:
    'It no longer shows up in your inbox, except when your review is requested. Other people are not affected.',
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/mute', status: 204 },
  accepts: ['session'],
  role: 'viewer',
  input: MutePullRequestInput,
  output: null,
  problems: ['not_found'],
  async run(context, { pullRequestId }) {
    const { actor, clock, db } = context;
    const { id } = await findPullRequest(context, pullRequestId);
    await insertMute(db, actor, { pullRequestId: id, at: clock.now() });
  },
});
