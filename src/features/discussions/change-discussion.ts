/** PATCH /api/v2/discussions/:discussionId: a person resolves or reopens a discussion. */
import { defineOperation } from '../../context.ts';
import { maskText } from '../../engines/review/index.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import { type PullRequestChange, withPullRequest } from '../pull-requests/index.ts';
import { ChangeDiscussionInput, Discussion } from './contract.ts';
import { findDiscussion } from './find-discussion.ts';
import { findOwnSecrets } from './own-secrets.ts';
import { pullRequestOf, readDiscussions } from './read-discussions.ts';
import { setStatus } from './set-status.ts';

export const changeDiscussion = defineOperation({
  name: 'change-discussion',
  group: 'Reviews',
  summary: 'Resolve or reopen a discussion',
  description:
    'People only: agents reply instead. Authors can’t resolve a secret that they leaked. On a code host the thread is resolved or reopened too.',
  http: { method: 'PATCH', path: '/api/v2/discussions/:discussionId', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ChangeDiscussionInput,
  output: Discussion,
  problems: ['not_found', 'forbidden'],
  async run(context, { discussionId, reason: sent, status }) {
    const { actor } = context;
    const reason = await maskText(sent?.trim() ?? '');
    return withPullRequest(context, await pullRequestOf(context, discussionId), async (change) => {
      const discussion = await findDiscussion(change, discussionId);
      if (status === 'resolved') await refuseOwnSecret(change, discussionId, actor.userId);
      await setStatus(change, discussion, status === 'open' ? 'reopen' : 'resolve', {
        userId: actor.userId,
        accountId: null,
        name: actor.userName,
        reason: reason || null,
      });
      const [read] = await readDiscussions({ actor, db: change.db }, change.pullRequest, { discussionId });
      return read!;
    });
  },
});

/** As for dismissing it: someone else has to see that it was revoked. */
async function refuseOwnSecret(
  { db, pullRequest: { id } }: PullRequestChange,
  discussionId: string,
  userId: string,
): Promise<void> {
  const own = await findOwnSecrets(db, { discussionIds: [discussionId], pullRequestId: id, userId });
  if (own.has(discussionId))
    throw new Problem(
      'forbidden',
      'You cannot resolve a secret in your own pull request. Revoke it and remove it from the code, then ask someone else to look at it.',
    );
}
