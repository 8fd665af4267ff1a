/** The shapes and limits of review discussions. */
import { z } from 'zod';
import { requiredText, text, timestamp, uuid } from '../../platform/core/operations/shapes.ts';
import {
  Author,
  Branch,
  CommentEdits,
  CommentInput,
  Commit,
  DeletedComment,
  expectedBody,
  FilePath,
  LIMITS,
  PullRequest,
  PullRequestComment,
  PullRequestId,
  Sending,
} from '../pull-requests/contract.ts';
import { DiscussionPosition, SIDES } from './contract-places.ts';

export * from './contract-places.ts';
export * from './pending/pending-contract.ts';

export const DISCUSSION_STATUSES = ['open', 'addressed', 'resolved'] as const;
export type DiscussionStatus = (typeof DISCUSSION_STATUSES)[number];
export const STATUS_CAUSES = [
  'opened',
  'person',
  'judge',
  'switch',
  'reverted',
  'dismissed',
  'proof',
] as const;
export type StatusCause = (typeof STATUS_CAUSES)[number];

/** An element of the reply of GET /api/v2/discussions/by-branch. */
export const BranchDiscussion = z
  .object({
    id: uuid(),
    file: z.string().describe('The path at the commit that was commented on.'),
    startLine: z.int().describe('0 for the whole file.'),
    endLine: z.int(),
    commentedCode: z
      .string()
      .describe('As it was when it was commented on, with tokens masked; empty for the whole file.'),
    status: z.enum(DISCUSSION_STATUSES),
    reviewerTitle: z.string().describe('The reviewer, person or bot that opened it.'),
    comments: z
      .array(z.object({ author: z.string(), body: z.string(), createdAt: timestamp() }))
      .describe('Oldest first.'),
  })
  .meta({ id: 'BranchDiscussion' });

const BRANCH_INPUT = {
  repository: requiredText({ max: 300 }).describe('`owner/name` or just `name`, not case-sensitive.'),
  branch: Branch.describe("The pull request's head branch; `owner:branch` names a fork's."),
  status: z.enum(['open', 'all']).optional().describe('Default: `open`.'),
};
export const GetDiscussionsByBranchInput = z.object(BRANCH_INPUT);

export const Judgement = z
  .object({
    verdict: z.enum(['addressed', 'maybe', 'open']),
    commit: z.string().describe('The head that was judged.'),
    confidence: z.number(),
    reason: z.string(),
    hunks: z.array(
      z.object({
        file: z.string(),
        oldStart: z.int(),
        oldLines: z.int(),
        newStart: z.int(),
        newLines: z.int(),
      }),
    ),
  })
  .meta({ id: 'Judgement' });

export const AppliedSuggestion = z
  .object({
    index: z.int().describe('Which `suggestion` block of the comment, from 0.'),
    commit: z.string(),
    by: z.string().nullable(),
    at: timestamp(),
  })
  .meta({ id: 'AppliedSuggestion' });

export const DISCUSSION_ACTIONS = ['reply', 'resolve', 'reopen'] as const;
export const Discussion = z
  .object({
    id: uuid(),
    file: z.string(),
    side: z.enum(SIDES).describe('`old`: on removed lines.'),
    startLine: z.int(),
    endLine: z.int(),
    commit: z.string().nullable(),
    commentedCode: z.string(),
    author: Author,
    createdAt: timestamp(),
    updatedAt: timestamp(),
    status: z.enum(DISCUSSION_STATUSES),
    statusCause: z.enum(STATUS_CAUSES),
    statusBy: z.string().nullable().describe('Who set the status; null for the service.'),
    statusReason: z.string().nullable(),
    statusAt: timestamp(),
    judgement: Judgement.nullable().describe(
      'Whether the code answers it. Only `addressed` changes the status.',
    ),
    position: DiscussionPosition.nullable().describe(
      'Where the code is at the newest head; null until that is known.',
    ),
    comments: z
      .array(
        PullRequestComment.extend({
          fixedIn: z.string().nullable(),
          appliedSuggestions: z.array(AppliedSuggestion).describe('Those that were committed here.'),
        }),
      )
      .describe('Oldest first.'),
    deletedComments: z.array(DeletedComment).describe('Where comments were.'),
    sending: Sending,
    allowedActions: z.array(z.enum(DISCUSSION_ACTIONS)),
  })
  .meta({ id: 'Discussion' });

export const ListDiscussionsInput = z.object({ pullRequestId: PullRequestId });
export const DiscussionList = z
  .object({
    discussions: z.array(Discussion).describe('Oldest first.'),
    suggestionsBlocked: z
      .string()
      .nullable()
      .describe('Why the caller can’t apply suggestions here; null if they can.'),
  })
  .meta({ id: 'DiscussionList' });

export const OpenDiscussionInput = z.object({
  pullRequestId: PullRequestId,
  file: FilePath,
  side: z.enum(SIDES).optional().describe('Default: `new`.'),
  startLine: z.int().min(0).describe('0 for the whole file.'),
  endLine: z.int().min(0).optional().describe('Default: `startLine`.'),
  commit: Commit.optional().describe(
    'The commit that the line numbers belong to: the newest head (the default), an earlier one, or a commit below one.',
  ),
  body: requiredText({ max: LIMITS.commentCharacters }).describe(
    'Markdown. A `suggestion` block proposes new lines.',
  ),
});
export const ReplyToDiscussionInput = z.object({
  discussionId: uuid(),
  body: requiredText({ max: LIMITS.commentCharacters }).describe('Markdown.'),
  fixedIn: z
    .string()
    .regex(/^[0-9a-f]{4,64}$/i, 'must be a commit ID of 4 to 64 hexadecimal digits')
    .optional()
    .describe('The commit that fixes it. Whether it does is judged at once.'),
});
export const ChangeDiscussionInput = z.object({
  discussionId: uuid(),
  status: z.enum(['open', 'resolved']),
  reason: text({ max: LIMITS.noteCharacters }).optional(),
});
export const EditDiscussionCommentInput = z.object({
  discussionId: uuid(),
  commentId: uuid(),
  body: requiredText({ max: LIMITS.commentCharacters }),
  expectedBody,
});

/** The newest pull request of a branch with its discussions and where they stand now, for agents. */
export const ReadBranchReviewInput = z.object({ ...BRANCH_INPUT });
export const BranchReview = z
  .object({
    pullRequest: PullRequest.nullable().describe('Null if the branch has none.'),
    discussions: z.array(Discussion).describe('Oldest first.'),
  })
  .meta({ id: 'BranchReview' });

export const MAX_APPLIED = 50;
export const ApplySuggestionsInput = z.object({
  pullRequestId: PullRequestId,
  suggestions: z
    .array(
      z.object({
        commentId: uuid(),
        index: z
          .int()
          .min(0)
          .optional()
          .describe('Which `suggestion` block of the comment; default 0, the first.'),
        text: text({ max: LIMITS.commentCharacters })
          .optional()
          .describe('The new lines as the caller saw them; 409 if the comment was edited since.'),
      }),
    )
    .min(1)
    .max(MAX_APPLIED),
  expectedHead: Commit.describe('The newest commit that the caller saw; 409 if it is another.'),
  message: text({ max: 2000 }).optional().describe('The commit message; co-authors are added.'),
});
export const AppliedSuggestions = z
  .object({ commit: z.string(), files: z.array(z.string()) })
  .meta({ id: 'AppliedSuggestions' });

export const DeleteCommentInput = CommentInput;
export const ListCommentEditsInput = CommentInput;
export { CommentReactions, ReactToCommentInput } from '../pull-requests/contract.ts';
export { CommentEdits };
export const CommentDeleted = z
  .object({ discussionDeleted: z.boolean().describe('It was the only comment of its discussion.') })
  .meta({ id: 'CommentDeleted' });
