/** DELETE /api/v2/pull-requests/:pullRequestId/mute: what happens there shows up in your inbox again. */
import { defineOperation } from '../../../context.ts';
import { MutePullRequestInput } from '../contract.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { deleteMute } from './reader-store.ts';

export const unmutePullRequest = defineOperation({
  name: 'unmute-pull-request',
  group: 'Pull requests',
  summary: 'Unmute a pull request',
  http: { method: 'DELETE', path: '/api/v2/pull-requests/:pullRequestId/mute', status: 204 },
  accepts: ['session'],
  role: 'viewer',
  input: MutePullRequestInput,
  output: null,
  problems: ['not_found'],
  async run(context, { pullRequestId }) {
    const { actor, db } = context;
    const { id } = await findPullRequest(context, pullRequestId);
    await deleteMute(db, actor, id);
  },
});
