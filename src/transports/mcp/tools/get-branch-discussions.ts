/** get_branch_discussions: what reviewers said about a branch's pull request, and where its code is now. */
import { z } from 'zod';
import {
  type BranchReview,
  isWaitingForAgent,
  NO_PULL_REQUEST,
  nextIfEnded,
  type PullRequest,
  PullRequestShape,
  presentPullRequest,
} from '../discussions/branch-review.ts';
import { piecesOf, presentParts } from '../discussions/discussion-pieces.ts';
import { REVIEW_OUTPUT } from '../discussions/discussion-shapes.ts';
import { ours } from '../text/marking.ts';
import { moreSentence, openPage, PAGE_OUTPUT, pageArguments, pagedReply } from '../text/paged-reply.ts';
import { defineTool, READS } from '../tool.ts';

const OPERATION = 'read-branch-review';

const ReviewReply = z.object({
  pullRequest: PullRequestShape.optional().describe('Absent if the branch has none.'),
  since: z
    .int()
    .optional()
    .describe('Send it as `since` to `wait_for_review` to get everything that happens from here on.'),
  openDiscussions: z.int().describe('On all pages.'),
  waitingForYou: z.int().describe('Open discussions in which no agent wrote the last comment.'),
  changedMeanwhile: z
    .boolean()
    .optional()
    .describe('Whether the pull request changed since the previous page.'),
  next: ours('sentence'),
  ...PAGE_OUTPUT,
  ...REVIEW_OUTPUT,
});

export const getBranchDiscussions = defineTool({
  name: 'get_branch_discussions',
  title: 'Get the review discussions of a branch',
  description: {
    does: "Read the review of a branch's newest pull request: the discussions on its code, the general conversation and the verdicts of reviewers.",
    use: 'before you work on a review, and when `wait_for_review` reports something new.',
    returns:
      'the `pullRequest`, and for each discussion: file, lines and code at the commit that was commented on, where that code is at the newest head (`now`), whether a later commit answers it (`judgement`; `maybe`: a person decides), and its comments.',
    next: 'one discussion at a time: fix the code, commit and push, then `reply_to_discussion` with the commit as `fixedIn`, or explain why not. Then `wait_for_review` with `since`.',
  },
  operations: [OPERATION],
  hints: READS,
  input(fieldsOf) {
    const { branch, repository, status } = fieldsOf(OPERATION);
    return z.object({ repository, branch, status, ...pageArguments({ minTokens: 1000 }) });
  },
  output: ReviewReply,
  async run(given, context) {
    const opened = openPage('get_branch_discussions', given);
    const { branch, repository, status } = given;
    const review = await context.run(OPERATION, { repository, branch, status });
    const { discussions, pullRequest } = review;
    const nothing = { verdicts: [], discussions: [], conversation: [] };
    if (!pullRequest) return { openDiscussions: 0, waitingForYou: 0, next: NO_PULL_REQUEST, ...nothing };
    const pin = String(pullRequest.lastEvent);
    const about = {
      pullRequest: presentPullRequest(pullRequest, context.baseUrl),
      since: pullRequest.lastEvent,
      openDiscussions: pullRequest.openDiscussions,
      waitingForYou: discussions.filter(isWaitingForAgent).length,
      ...(opened.pin !== undefined && opened.pin !== pin && { changedMeanwhile: true }),
      next: nextFor(pullRequest, review),
    };
    return pagedReply(opened, {
      output: ReviewReply,
      pieces: piecesOf(review),
      pin,
      render: (parts, end) => ({
        ...about,
        more: moreSentence(end),
        nextCursor: end.nextCursor,
        ...presentParts(parts),
      }),
    });
  },
});

function nextFor(pullRequest: PullRequest, { discussions }: BranchReview): string {
  const ended = nextIfEnded(pullRequest.state);
  if (ended) return ended;
  const waiting = discussions.filter(isWaitingForAgent).length;
  if (waiting > 0) {
    return `${waiting === 1 ? 'One open discussion waits' : `${waiting} open discussions wait`} for you. Work on one at a time: fix the code, commit and push, then call \`reply_to_discussion\` with the commit as \`fixedIn\`, or explain why the code stays. When you have replied to all, call \`wait_for_review\` with \`since\`.`;
  }
  if (pullRequest.openDiscussions > 0) {
    return 'Every open discussion has your reply. Call `wait_for_review` with `since`; only people resolve discussions.';
  }
  return pullRequest.verdict === 'approved'
    ? 'Approved, and no discussion is open. Tell the user. You cannot merge here.'
    : 'No discussion is open. Look at `conversation` and the notes in `verdicts`; otherwise call `wait_for_review` with `since`.';
}
