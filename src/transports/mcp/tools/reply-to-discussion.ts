/** reply_to_discussion: replies to a reviewer, and optionally says which commit fixes what they asked for. */
import { z } from 'zod';
import type { Discussion } from '../discussions/branch-review.ts';
import { presentJudgement } from '../discussions/discussion-pieces.ts';
import { ours } from '../text/marking.ts';
import { ADDS, defineTool } from '../tool.ts';

const OPERATION = 'reply-to-discussion';

export const replyToDiscussion = defineTool({
  name: 'reply_to_discussion',
  title: 'Reply to a review discussion',
  description: {
    does: 'Reply to a discussion of a pull request. On a code host, the reply is posted there too.',
    use: 'once for each discussion you worked on: say what you changed, or why not. If a commit fixes it, push first and send it as `fixedIn`: whether it answers the discussion is judged at once. Only people can resolve. Repeating a call posts nothing.',
    returns:
      '`replyId`, the `status` of the discussion, and with `fixedIn` the `judgement`: `addressed`, `maybe` (a person decides) or `open`, with a reason.',
    next: 'the next discussion of `get_branch_discussions`, then `wait_for_review`.',
  },
  operations: [OPERATION],
  // Posting the same reply again adds nothing.
  hints: { ...ADDS, idempotentHint: true },
  input(fieldsOf) {
    const { body, discussionId, fixedIn } = fieldsOf(OPERATION);
    return z.object({
      discussionId: discussionId.describe('From `get_branch_discussions` or `wait_for_review`.'),
      body: body.describe('Your reply, in Markdown.'),
      fixedIn: fixedIn.describe('The pushed commit that fixes it.'),
    });
  },
  output: z.object({
    discussionId: ours('id'),
    replyId: ours('id').optional().describe('The new comment, or the existing one with the same text.'),
    status: ours('word').describe('`open`, `addressed` or `resolved`. Replying never resolves.'),
    next: ours('sentence'),
    judgement: z
      .object({ verdict: ours('word'), commit: ours('id'), reason: z.string() })
      .optional()
      .describe('Whether the code at `commit` answers the discussion, as far as the service can tell.'),
  }),
  async run({ body, discussionId, fixedIn }, context) {
    const discussion = await context.run(OPERATION, { discussionId, body, fixedIn });
    const { comments, status } = discussion;
    const judgement = judgementOf(discussion, fixedIn);
    const isOwn = (comment: (typeof comments)[number]) =>
      comment.author.id === context.actor.userId && comment.body === body;
    return {
      discussionId,
      replyId: comments.findLast(isOwn)?.id,
      status,
      next: nextFor(status, { verdict: judgement?.verdict, isFix: fixedIn !== undefined }),
      ...(judgement && { judgement: presentJudgement(judgement) }),
    };
  },
});

/** An earlier judgement is about another commit, so only one about the named commit is shown. */
function judgementOf({ judgement }: Discussion, fixedIn: string | undefined) {
  const isOfCommit = fixedIn !== undefined && judgement?.commit.startsWith(fixedIn.toLowerCase());
  return isOfCommit ? judgement : null;
}

function nextFor(
  status: Discussion['status'],
  { isFix, verdict }: { isFix: boolean; verdict: string | undefined },
): string {
  const others = 'Reply to the other discussions, then call `wait_for_review`.';
  if (status === 'resolved') return `The reply is posted. The discussion is resolved already. ${others}`;
  if (status === 'addressed') {
    return `The reply is posted, and the discussion counts as addressed. A person resolves it. ${others}`;
  }
  const posted = 'The reply is posted. The discussion stays open until a person resolves it';
  if (!isFix) return `${posted}, or a later commit answers it. ${others}`;
  if (verdict === 'maybe') return `${posted}: the commit may answer it. ${others}`;
  if (verdict === 'open') {
    return `${posted}: the service did not find that the commit answers it. If your fix is not complete, continue; if it is, the reviewer decides. ${others}`;
  }
  return `${posted}. Whether the commit answers it could not be judged. ${others}`;
}
