/** wait_for_review: waits until reviewers act on a plan or on a branch's pull request. */
import { z } from 'zod';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import { planReference } from '../plans/plan-reference.ts';
import { REVIEW_STATE } from '../plans/plan-status.ts';
import { ours } from '../text/marking.ts';
import { openPage, PAGE_ARGUMENTS, pagedReply } from '../text/paged-reply.ts';
import { defineTool, READS, type ToolContext } from '../tool.ts';
import type { Waited } from '../waiting/wait-for-others.ts';
import { waitForPlan } from '../waiting/wait-for-plan.ts';
import { waitForPullRequest } from '../waiting/wait-for-pull-request.ts';

const DEFAULT_SECONDS = 50;

const EventShape = z.object({
  kind: ours('word').describe(
    'For example `approved`, `changes_requested`, `comment_added` or `discussion_replied`.',
  ),
  by: z.string().optional(),
  at: ours('time'),
  version: z.int().optional(),
  status: ours('word').optional().describe('The new status.'),
  verdict: ours('word').optional().describe('`approved`, `changes_requested` or `commented`.'),
  discussionId: ours('id').optional(),
  commentId: ours('id').optional(),
  triageState: ours('word').optional(),
  note: z.string().optional().describe("The reviewer's note, or why the status changed."),
  body: z.string().optional().describe('The text of the comment.'),
  isCut: z
    .boolean()
    .optional()
    .describe(
      'Whether the text is only the beginning: `get_plan`, `get_plan_comments` and `get_branch_discussions` have all of it.',
    ),
});

const WaitReply = z.object({
  planId: ours('id').optional(),
  pullRequestNumber: z.int().optional(),
  url: ours('page'),
  outcome: ours('word').describe(
    '`changed`: see `events`; `decided`: there was nothing to wait for when you called; `timeout`: nothing happened.',
  ),
  status: ours('word').describe(
    'Of a plan: `pending`, `approved`, `implemented` or `closed`; of a pull request: `open`, `draft`, `merged` or `closed`.',
  ),
  ...REVIEW_STATE,
  version: z.int().optional().describe('The newest version of the plan.'),
  since: z.int().describe('Send it as `since` next time.'),
  next: ours('sentence'),
  more: ours('sentence').optional().describe('What is not in this reply, and how to get it.'),
  events: z.array(EventShape).describe('Oldest first.'),
});

export const waitForReview = defineTool({
  name: 'wait_for_review',
  // Its name before pull requests; plugins that are already installed call it.
  formerNames: ['wait_for_plan_review'],
  title: 'Wait for a review',
  description: {
    does: "Wait until someone acts on a plan (`planId`) or on a branch's newest pull request (`repository` and `branch`): a verdict, a comment, a changed discussion, a new version or status.",
    use: 'after `update_plan`, and after you pushed and replied, instead of polling. It returns at once if something happened after `since`, otherwise at the next event or after `timeoutSeconds`. Your own actions don’t count. Without `since`, it returns at once if everything is decided.',
    returns:
      '`outcome` (`changed`, `decided` or `timeout`), `status`, `events` with notes and comments (`isCut`: only the beginning), and `since` for the next call. Only `reviewState` `approved` means that you may start.',
    next: 'see `next` in the reply. After `timeout`, call again with the new `since`, or tell the user that you are waiting.',
  },
  operations: ['wait-for-plan-changes', 'read-branch-review', 'wait-for-pull-request-changes'],
  hints: READS,
  input(fieldsOf) {
    const { since, waitSeconds } = fieldsOf('wait-for-plan-changes');
    const { branch, repository } = fieldsOf('read-branch-review');
    return z.object({
      planId: planReference().optional(),
      repository: repository.optional().describe('Repository of the pull request, with `branch`.'),
      branch: branch.optional(),
      timeoutSeconds: waitSeconds.describe(`Maximum time to wait (default ${DEFAULT_SECONDS}).`),
      since: since.describe('From an earlier reply. Without it, only what happens from now on counts.'),
      maxTokens: PAGE_ARGUMENTS.maxTokens,
    });
  },
  output: WaitReply,
  async run(given, context) {
    const { about, cursor, next, outcome, pieces } = await wait(given, context);
    return pagedReply(openPage('wait_for_review', given), {
      output: WaitReply,
      pieces,
      pin: '',
      render(parts) {
        // `since` of the reply makes the next call return what does not fit here.
        const isComplete = parts.length === pieces.length;
        const since = isComplete ? cursor : (parts.at(-1)?.piece.number ?? cursor);
        return {
          ...about,
          outcome,
          since,
          next: next(since),
          more: isComplete ? undefined : `More happened: call again with since ${since}.`,
          events: parts.map((part) => part.piece.present(part)),
        };
      },
    });
  },
});

interface Given {
  planId?: string | undefined;
  repository?: string | undefined;
  branch?: string | undefined;
  timeoutSeconds?: number | undefined;
  since?: number | undefined;
}

function wait(given: Given, context: ToolContext): Promise<Waited> {
  const { branch, planId, repository, since, timeoutSeconds = DEFAULT_SECONDS } = given;
  if (planId !== undefined && repository === undefined && branch === undefined) {
    return waitForPlan({ planId, since, timeoutSeconds }, context);
  }
  if (planId === undefined && repository !== undefined && branch !== undefined) {
    return waitForPullRequest({ repository, branch, since, timeoutSeconds }, context);
  }
  throw invalidRequest([
    {
      path: 'planId',
      message: 'is needed to wait for a plan; for a pull request, send `repository` and `branch` instead',
    },
  ]);
}
