/** respond_to_plan_comment: a reply in a thread and, if asked, what becomes of the thread's first comment. */
import { z } from 'zod';
import type { Operations } from '../../../operation-types.ts';
import { notFound, Problem } from '../../../platform/core/errors.ts';
import { planReference } from '../plan-reference.ts';
import { readThreads } from '../read-threads.ts';
import { ADDS, defineTool, type ToolContext } from '../tool.ts';

export const respondToPlanComment = defineTool({
  name: 'respond_to_plan_comment',
  title: 'Reply to a comment on a plan',
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
        .enum(['open', 'dismissed'])
        .optional()
        .describe(
          'For the whole thread, and only when a person decided so: `open` to use it, `dismissed` to skip it.',
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
      .describe(
        'Whether your user had posted the same reply to this comment before, so that none was added.',
      ),
    triageState: z.string().optional().describe('Set by this call.'),
    triagedCommentId: z
      .string()
      .optional()
      .describe('The comment that has `triageState` now: the first of the thread.'),
    triageProblem: z
      .string()
      .optional()
      .describe('Why `triageState` was not set, although the reply was posted.'),
  }),
  async run({ body, commentId, planId, triageState }, context) {
    const { comments } = await readThreads(
      context.run,
      { seriesId: planId, commentId },
      Number.POSITIVE_INFINITY,
    );
    const parent = comments.find(({ id }) => id === commentId);
    if (!parent) throw notFound('The comment');
    const posted = comments.find(
      (comment) =>
        comment.parentId === commentId && comment.body === body && comment.author.id === context.actor.userId,
    );
    const reply =
      posted ??
      (await context.run('add-plan-comment', {
        seriesId: planId,
        body,
        // A reply belongs to the version that its comment belongs to.
        versionId: parent.versionId,
        parentId: commentId,
      }));
    const { threadId } = parent;
    const problem =
      triageState && (await triage(context, { seriesId: planId, commentId: threadId, triageState }));
    const isTriaged = triageState !== undefined && problem === undefined;
    return {
      structured: {
        planId,
        replyId: reply.id,
        commentId,
        alreadyPosted: posted ? true : undefined,
        ...(isTriaged && { triageState, triagedCommentId: threadId }),
        triageProblem: problem,
      },
      text: [
        posted
          ? `The reply ${reply.id} was posted before; it is not posted again.`
          : `The reply ${reply.id} is posted.`,
        ...(isTriaged ? [`The triage state of comment ${threadId} is ${triageState} now.`] : []),
        ...(problem === undefined
          ? []
          : [
              `But the triage state was not set: ${problem} The same call again sets it, and does not post the reply again.`,
            ]),
        'Next: the other comments, then `update_plan` with what you changed.',
      ].join('\n'),
    };
  },
});

/** What stood in the way; the reply is there by then, so that is told and not thrown. */
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
