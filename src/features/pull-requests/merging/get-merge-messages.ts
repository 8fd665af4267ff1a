/** GET /api/v2/pull-requests/:pullRequestId/merge-messages: exactly the messages that a merge by the caller commits by default. */
import { callOf, defineOperation } from '../../../context.ts';
import { maskValue } from '../../../engines/review/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { GetMergeMessagesInput, MergeMessages } from '../contract.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { readMergeMessages } from './read-merge-messages.ts';
import { rebaseBlocked } from './rebase-blocked.ts';

export const getMergeMessages = defineOperation({
  name: 'get-merge-messages',
  group: 'Pull requests',
  summary: 'Get the messages of a merge',
  description:
    'The messages that the commits get if you merge without another one. A squash names everyone who wrote or co-wrote its commits, but its author and you. It also says whether the commits can be rebased.',
  http: { method: 'GET', path: '/api/v2/pull-requests/:pullRequestId/merge-messages', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: GetMergeMessagesInput,
  output: MergeMessages,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, { head, pullRequestId }) {
    const { actor, baseUrl, code, db } = context;
    const found = await findPullRequest(context, pullRequestId);
    const { base_commit: base, head_commit, origin } = found;
    if (origin === 'host' || base === null || head_commit !== head)
      throw new Problem(
        'conflict',
        'It can’t be merged from this commit. Look at the changes and try again.',
      );
    const services = { db, code, baseUrl };
    const wanted = { base, head, userId: actor.userId };
    const call = callOf(context);
    const messages = await readMergeMessages(services, found, wanted, call);
    return maskValue({ ...messages, rebaseBlocked: await rebaseBlocked(code, found, wanted, call) });
  },
});
