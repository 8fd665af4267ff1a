/** POST /api/v2/discussions/:discussionId/replies: a person or an agent replies; an agent may say in which commit it is fixed. */
import { type Context, defineOperation } from '../../context.ts';
import { maskText } from '../../engines/review/index.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import {
  findPullRequest,
  insertComment,
  isRecheck,
  requestRecheck,
  withPullRequest,
} from '../pull-requests/index.ts';
import { Discussion, ReplyToDiscussionInput } from './contract.ts';
import { selectDiscussions, selectSameReply, touchDiscussion } from './discussion-store.ts';
import { findDiscussion } from './find-discussion.ts';
import { findFixCommit, judgeFix } from './judge-fix.ts';
import { pullRequestOf, readDiscussions } from './read-discussions.ts';
import { recordJudgement } from './record-judgement.ts';

interface Prepared {
  pullRequestId: string;
  fix: Awaited<ReturnType<typeof readFix>> | null;
  body: string;
}

export const replyToDiscussion = defineOperation({
  name: 'reply-to-discussion',
  group: 'Reviews',
  summary: 'Reply to a discussion',
  description:
    'On a code host the reply is posted there too. With `fixedIn`, the commit is compared with what the discussion asks for at once. A reply with the same text by the same person is added only once.',
  http: { method: 'POST', path: '/api/v2/discussions/:discussionId/replies', status: 201 },
  accepts: ['session', 'mcp'],
  role: 'member',
  idempotent: true,
  input: ReplyToDiscussionInput,
  output: Discussion,
  problems: ['not_found', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  // Before the transaction begins, because code is compared.
  async prepare(context, { body, discussionId, fixedIn }) {
    const pullRequestId = await pullRequestOf(context, discussionId);
    const fix = fixedIn === undefined ? null : await readFix(context, pullRequestId, discussionId, fixedIn);
    return { pullRequestId, fix, body: await maskText(body) };
  },
  async run(context, { discussionId }, { body, fix, pullRequestId }: Prepared) {
    const { actor } = context;
    return withPullRequest(context, pullRequestId, async (change) => {
      const { at, db, pullRequest } = change;
      const discussion = await findDiscussion(change, discussionId);
      const reply = { discussionId, userId: actor.userId, body };
      if ((await selectSameReply(db, reply)) === undefined) {
        const id = uuidv7();
        await insertComment(db, {
          id,
          organizationId: pullRequest.organization_id,
          pullRequestId,
          discussionId,
          hostCommentId: null,
          author: {
            kind: actor.kind === 'session' ? 'person' : 'agent',
            userId: actor.userId,
            accountId: null,
            name: actor.userName,
          },
          body,
          fixedIn: fix?.commit ?? null,
          url: null,
          sending: pullRequest.origin === 'host' ? 'waiting' : 'none',
          at,
        });
        await touchDiscussion(db, discussionId, at);
        change.set({ comment_count: pullRequest.comment_count + 1 });
        change.record('discussion_replied', { discussionId, commentId: id });
        if (actor.kind === 'session' && isRecheck(body)) requestRecheck(change, actor.userId);
      }
      if (fix?.judgement) await recordJudgement(change, discussion, fix.judgement);
      const [read] = await readDiscussions({ actor, db }, change.pullRequest, { discussionId });
      return read!;
    });
  },
});

async function readFix(context: Context, pullRequestId: string, discussionId: string, digits: string) {
  const pullRequest = await findPullRequest(context, pullRequestId);
  const [discussion] = await selectDiscussions(context.db, pullRequest, { discussionId });
  const commit = await findFixCommit(context, pullRequest, digits);
  return {
    commit,
    judgement: discussion ? await judgeFix(context, pullRequest, discussion, commit) : null,
  };
}
