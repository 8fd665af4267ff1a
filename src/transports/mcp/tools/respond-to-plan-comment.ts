/** respond_to_plan_comment: a reply in a thread and, if asked, the triage state of the thread. */
import { z } from 'zod';
import type { Operations } from '../../../operation-types.ts';
import { notFound, Problem } from '../../../platform/core/errors.ts';
import { planReference } from '../plan-reference.ts';
import { readThreads } from '../read-threads.ts';
import { ADDS, defineTool, type ToolContext } from '../tool.ts';

/** Other services of this kind say `used` and `skipped`. */
const TRIAGE_STATES = { open: 'open', used: 'open', dismissed: 'dismissed', skipped: 'dismissed' } as const;

export const respondToPlanComment = defineTool({
  name: 'respond_to_plan_comment',
  title: 'Reply to a comment on a plan',
  description: {
    does: 'Reply to a comment on a plan.',
    use: 'once for each comment you worked on: say what you changed in the plan, or why not. Set `triageState` only when a person told you their decision: `open` (or `used`) accepts the comment, `dismissed` (or `skipped`) dismisses it, null clears the decision. It applies to the whole thread. Repeating a call with the same `body` for the same comment posts nothing.',
    returns:
      '`replyId`, `alreadyPosted` when the reply existed already, and the comment that was triaged. `triageProblem` says why the triage state could not be set although the reply was posted.',
    next: 'the other comments of `get_plan_comments`, then `update_plan` with what you changed.',
  },
  operations: ['list-plan-threads', 'add-plan-comment', 'change-plan-comment'],
  // The same reply again adds nothing.
  hints: { ...ADDS, idempotentHint: true },
  input(fieldsOf) {
    const { body } = fieldsOf('add-plan-comment');
    const { commentId } = fieldsOf('change-plan-comment');
    return z.object({
      planId: planReference(),
      commentId: commentId.describe('The comment to reply to: the first of a thread, or a reply in it.'),
      body: body.describe('Your reply, in Markdown.'),
      triageState: z
        .enum(['open', 'dismissed', 'used', 'skipped'])
        .nullable()
        .optional()
        .describe(
          'For the whole thread, and only when a person decided it: `open` (or `used`) to accept the comment, `dismissed` (or `skipped`) to dismiss it, null to clear the decision.',
        ),
    });
  },
  output: z.object({
    planId: z.string(),
    replyId: z.string().describe('The new comment, or the same reply from before.'),
    commentId: z.string().describe('The comment that was replied to.'),
    alreadyPosted: z
      .boolean()
      .optional()
      .describe('True when your user had already posted the same reply to this comment: none was added.'),
    triageState: z.string().nullable().optional().describe('Set by this call; null when it was cleared.'),
    triagedCommentId: z
      .string()
      .optional()
      .describe('The comment that has `triageState` now: the first of the thread.'),
    triageProblem: z
      .string()
      .optional()
      .describe('Why `triageState` was not set although the reply was posted.'),
    next: z.string(),
  }),
  async run({ body, commentId, planId, triageState: given }, context) {
    const { comments } = await readThreads(
      context.run,
      { seriesId: planId, commentId },
      Number.POSITIVE_INFINITY,
    );
    const parent = comments.find(({ id }) => id === commentId);
    if (!parent) throw notFound('The comment');
    const reply = await context.run('add-plan-comment', {
      seriesId: planId,
      body,
      // A reply belongs to the version that its comment belongs to.
      versionId: parent.versionId,
      parentId: commentId,
      skipIfPosted: true,
    });
    const answer = { planId, replyId: reply.id, commentId, alreadyPosted: reply.alreadyPosted || undefined };
    const next = 'Reply to the other comments, then call `update_plan` with what you changed.';
    if (given === undefined) return { ...answer, next };
    const triageState = given && TRIAGE_STATES[given];
    const { threadId } = parent;
    const triageProblem = await triage(context, { seriesId: planId, commentId: threadId, triageState });
    return triageProblem === undefined
      ? { ...answer, triageState, triagedCommentId: threadId, next }
      : { ...answer, triageProblem, next: 'Call again to set `triageState`; the reply is not posted again.' };
  },
});

/** What prevented it; the reply is posted by then, so it is reported and not thrown. */
async function triage(
  context: ToolContext,
  input: Operations['change-plan-comment']['input'],
): Promise<string | undefined> {
  try {
    await context.run('change-plan-comment', input);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    context.log.error({ err: error }, 'a comment was replied to, but not triaged');
    return 'Something went wrong on our side.';
  }
}
