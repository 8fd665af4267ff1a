/** PATCH /api/v2/discussions/:discussionId: a person resolves or reopens a discussion. */
import { defineOperation } from '../../context.ts';
import { changePullRequest } from '../pull-requests/index.ts';
import { ChangeDiscussionInput, Discussion } from './contract.ts';
import { findDiscussion } from './find-discussion.ts';
import { pullRequestOf, readDiscussions } from './read-discussions.ts';
import { setStatus } from './set-status.ts';

export const changeDiscussion = defineOperation({
  name: 'change-discussion',
  group: 'Reviews',
  summary: 'Resolve or reopen a discussion',
  description: 'People only: agents reply instead. On a code host the thread is resolved or reopened too.',
  http: { method: 'PATCH', path: '/api/v2/discussions/:discussionId', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ChangeDiscussionInput,
  output: Discussion,
  problems: ['not_found'],
  async run(context, { discussionId, reason, status }) {
    const { actor } = context;
    return changePullRequest(context, await pullRequestOf(context, discussionId), async (change) => {
      const discussion = await findDiscussion(change, discussionId);
      await setStatus(change, discussion, status === 'open' ? 'reopen' : 'resolve', {
        userId: actor.userId,
        accountId: null,
        name: actor.userName,
        reason: reason?.trim() || null,
      });
      const [read] = await readDiscussions({ actor, db: change.db }, change.pullRequest, { discussionId });
      return read!;
    });
  },
});
