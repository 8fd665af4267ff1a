/** respond_to_plan_comment: posts a reply and optionally sets the thread's triage state. */
import { z } from 'zod';
import type { Operations } from '../../../operation-types.ts';
import { notFound, Problem } from '../../../platform/core/errors/errors.ts';
import { planReference } from '../plans/plan-reference.ts';
import { readThreads } from '../plans/read-threads.ts';
import { ours } from '../text/marking.ts';
import { ADDS, defineTool, type ToolContext } from '../tool.ts';

/** The operation's value for each state. Existing planner plugins send `used` and `skipped`. */
const TRIAGE_STATES = {
  open: 'open',
  used: 'open',
  dismissed: 'dismissed',
  skipped: 'dismissed',
  none: null,
} as const;

export const respondToPlanComment = defineTool({
  name: 'respond_to_plan_comment',
  title: 'Reply to a comment on a plan',
  description: {
    does: 'Reply to a comment on a plan.',
    use: 'once for each comment you worked on: say what you changed in the plan, or why not. Repeating a call posts nothing.',
    returns:
      '`replyId`, and `alreadyPosted` if it existed. `triageProblem` says why `triageState` could not be set although the reply was posted.',
    next: 'reply to the other comments from `get_plan_comments`, then call `update_plan` with the changed plan.',
  },
  operations: ['list-plan-threads', 'add-plan-comment', 'change-plan-comment'],
  // Posting the same reply again adds nothing.
  hints: { ...ADDS, idempotentHint: true },
  input(fieldsOf) {
    const { body } = fieldsOf('add-plan-comment');
    const { commentId } = fieldsOf('change-plan-comment');
    return z.object({
      planId: planReference(),
      commentId: commentId.describe('A `threadId` or `commentId` from `get_plan_comments`.'),
      body: body.describe('Your reply, in Markdown.'),
      triageState: z
        .enum(['open', 'dismissed', 'used', 'skipped', 'none'])
        // As in REST, null clears the decision too. It is not listed: some clients don't support nullable arguments.
        .nullable()
        .optional()
        .describe(
          'For the whole thread, and only if a person told you their decision: `open` (or `used`) accepts the comment, `dismissed` (or `skipped`) dismisses it, `none` clears it.',
        ),
    });
  },
  output: z.object({
    planId: ours('id'),
    replyId: ours('id').describe('The new comment, or the existing one with the same text.'),
    commentId: ours('id').describe('The comment that was replied to.'),
    alreadyPosted: z
      .boolean()
      .optional()
      .describe('True when your user had already posted the same reply to this comment: none was added.'),
    triageState: ours('word').optional().describe('The state that this call set; `none` if it was cleared.'),
    triagedCommentId: ours('id')
      .optional()
      .describe('The comment that has `triageState` now: the first of the thread.'),
    triageProblem: z
      .string()
      .optional()
      .describe('Why `triageState` was not set although the reply was posted.'),
    next: ours('sentence'),
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
      // A reply belongs to the same version as its comment.
      versionId: parent.versionId,
      parentId: commentId,
      skipIfPosted: true,
    });
    const answer = { planId, replyId: reply.id, commentId, alreadyPosted: reply.alreadyPosted || undefined };
    const next = 'Reply to the other comments, then call `update_plan` with the changed plan.';
    if (given === undefined) return { ...answer, next };
    const triageState = TRIAGE_STATES[given ?? 'none'];
    const { threadId } = parent;
    const triageProblem = await triage(context, { seriesId: planId, commentId: threadId, triageState });
    return triageProblem === undefined
      ? { ...answer, triageState: triageState ?? 'none', triagedCommentId: threadId, next }
      : { ...answer, triageProblem, next: 'Call again to set `triageState`; the reply is not posted again.' };
  },
});

/** Returns the reason if it fails. It does not throw, because the reply has already been posted. */
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
