/** respond_to_plan_comment: a reply in a thread and, if asked, what becomes of the thread's first comment. */
import { z } from 'zod';
import { Problem } from '../../core/errors.ts';
import { planReference } from '../plan-reference.ts';
import { ADDS, type ToolContext, type ToolDefinition } from '../tool.ts';

interface Arguments {
  planId: string;
  commentId: string;
  body: string;
  triageState?: 'open' | 'dismissed';
}

interface Comment {
  id: string;
  versionId: string;
}

export const respondToPlanComment: ToolDefinition<Arguments> = {
  name: 'respond_to_plan_comment',
  title: 'Reply to a comment on a plan',
  operations: ['add-plan-comment', 'change-plan-comment'],
  hints: ADDS,
  input(fieldsOf) {
    const { body } = fieldsOf('add-plan-comment');
    const { commentId } = fieldsOf('change-plan-comment');
    return z.object({
      planId: planReference(),
      commentId: commentId!.describe('The comment to reply to: the first of a thread, or a reply in it.'),
      body: body!.describe('Your reply, in Markdown.'),
      triageState: z
        .enum(['open', 'dismissed'])
        .optional()
        .describe('Only when a person decided so: `open` to use the comment, `dismissed` to skip it.'),
    });
  },
  output: z.object({
    planId: z.string(),
    replyId: z.string().describe('The new comment.'),
    commentId: z.string().describe('The comment that was replied to.'),
    triageState: z.string().optional().describe('Set by this call.'),
    triageProblem: z
      .string()
      .optional()
      .describe('Why `triageState` was not set, although the reply was posted.'),
  }),
  async run({ body, commentId, planId, triageState }, context) {
    const about = { seriesId: planId, commentId };
    // Changes nothing and says which version the comment belongs to: a reply belongs there too.
    const parent = await context.run<Comment>('change-plan-comment', about);
    const reply = await context.run<Comment>('add-plan-comment', {
      seriesId: planId,
      body,
      versionId: parent.versionId,
      parentId: commentId,
    });
    const problem = triageState && (await triage(context, { ...about, triageState }));
    return {
      structured: {
        planId,
        replyId: reply.id,
        commentId,
        triageState: problem === undefined ? triageState : undefined,
        triageProblem: problem,
      },
      text: [
        `The reply ${reply.id} is posted.`,
        ...(triageState && problem === undefined
          ? [`The comment's triage state is ${triageState} now.`]
          : []),
        ...(problem === undefined
          ? []
          : [`But the triage state was not set: ${problem} Do not post the reply again.`]),
        'Next: the other comments, then `update_plan` with what you changed.',
      ].join('\n'),
    };
  },
};

/** What stood in the way; the reply is there by then, so that is told and not thrown. */
async function triage(context: ToolContext, input: Record<string, unknown>): Promise<string | undefined> {
  try {
    await context.run('change-plan-comment', input);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    context.log.error({ err: error }, 'a comment was replied to, but not triaged');
    return 'Something went wrong on our side.';
  }
}
