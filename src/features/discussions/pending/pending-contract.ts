/** The shapes and limits of comments that wait for their review to be submitted. */
import { z } from 'zod';
import { requiredText, text, timestamp, uuid } from '../../../platform/core/operations/shapes.ts';
import { Commit, FilePath, LIMITS, PullRequestId, VERDICTS } from '../../pull-requests/contract.ts';
import { DiscussionPosition, SIDES } from '../contract-places.ts';

/** Each person may have this many on a pull request. */
export const MAX_PENDING_COMMENTS = 300;

const PLACE_INPUT = {
  file: FilePath,
  side: z.enum(SIDES).optional().describe('Default: `new`.'),
  startLine: z.int().min(0).describe('0 for the whole file.'),
  endLine: z.int().min(0).optional().describe('Default: `startLine`.'),
  commit: Commit.optional().describe('The head that the line numbers belong to. Default: the newest.'),
};

export const PendingComment = z
  .object({
    id: uuid(),
    isReply: z.boolean(),
    discussionId: uuid()
      .nullable()
      .describe(
        'The discussion that it replies to. Null in a reply: that discussion was deleted, and this one starts another at its place.',
      ),
    file: z.string(),
    side: z.enum(SIDES),
    startLine: z.int(),
    endLine: z.int(),
    commit: z.string().nullable(),
    commentedCode: z.string(),
    position: DiscussionPosition.nullable().describe(
      'Where the code is at the newest head; null for replies, and if it can’t be found out now.',
    ),
    body: z.string().describe('Markdown.'),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'PendingComment' });

export const ListPendingCommentsInput = z.object({ pullRequestId: PullRequestId });
export const PendingCommentList = z
  .object({ comments: z.array(PendingComment).describe('Oldest first.') })
  .meta({ id: 'PendingCommentList' });

const Body = requiredText({ max: LIMITS.commentCharacters }).describe('Markdown.');
export const AddPendingCommentInput = z.object({
  pullRequestId: PullRequestId,
  discussionId: uuid()
    .optional()
    .describe('Replies to this discussion. Without it, `file` and `startLine` are required.'),
  ...PLACE_INPUT,
  file: PLACE_INPUT.file.optional(),
  startLine: PLACE_INPUT.startLine.optional(),
  body: Body,
});
export const EditPendingCommentInput = z.object({
  pullRequestId: PullRequestId,
  commentId: uuid(),
  body: Body,
});
export const DeletePendingCommentInput = z.object({ pullRequestId: PullRequestId, commentId: uuid() });
export const DiscardPendingCommentsInput = z.object({ pullRequestId: PullRequestId });

export const SubmitPendingReviewInput = z.object({
  pullRequestId: PullRequestId,
  verdict: z.enum(VERDICTS),
  note: text({ max: LIMITS.noteCharacters }).optional(),
  commit: Commit.describe('The head that was reviewed.'),
  earlierHead: z
    .boolean()
    .optional()
    .describe(
      'Whether the review may be about an earlier head. Without it, a commit that isn’t the newest is a conflict that says what changed. An approval is always about the newest.',
    ),
  commentIds: z
    .array(uuid())
    .min(1)
    .max(MAX_PENDING_COMMENTS)
    .describe('The comments to submit. If one was submitted or deleted meanwhile, nothing is.'),
});
