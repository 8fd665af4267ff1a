/** POST /api/v2/pull-requests/:pullRequestId/comments: a comment on no particular file. */
import { defineOperation } from '../../../context.ts';
import { maskText } from '../../../engines/review/index.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { CommentOnPullRequestInput, PullRequest } from '../contract.ts';
import { insertComment } from '../store/comment-store.ts';
import { isRecheck, requestRecheck } from './recheck.ts';
import { sendingOf } from './sending.ts';
import { changeAndReadPullRequest } from './with-pull-request.ts';

export const commentOnPullRequest = defineOperation({
  name: 'comment-on-pull-request',
  group: 'Pull requests',
  summary: 'Comment on a pull request',
  description:
    'To comment on lines of a file, open a discussion. On a code host the comment says who wrote it. `recheck` alone reviews the newest commit again.',
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/comments', status: 200 },
  accepts: ['session'],
  role: 'member',
  idempotent: true,
  input: CommentOnPullRequestInput,
  output: PullRequest,
  problems: ['not_found'],
  async run(context, { body: sent, pullRequestId }) {
    const { actor } = context;
    const body = await maskText(sent);
    return changeAndReadPullRequest(context, pullRequestId, async (change) => {
      const { at, db, pullRequest } = change;
      const id = uuidv7();
      await insertComment(db, {
        id,
        pullRequestId: pullRequest.id,
        organizationId: pullRequest.organization_id,
        discussionId: null,
        hostCommentId: null,
        author: { kind: 'person', userId: actor.userId, accountId: null, name: actor.userName },
        body,
        fixedIn: null,
        url: null,
        at,
        sending: sendingOf(pullRequest),
      });
      change.set({ comment_count: pullRequest.comment_count + 1 });
      change.record('pull_request_commented', { commentId: id });
      if (isRecheck(body)) requestRecheck(change, actor.userId);
    });
  },
});
