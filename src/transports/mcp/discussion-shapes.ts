/** The shapes of what reviewers wrote about a pull request, for get_branch_discussions. */
import { z } from 'zod';

const ReviewComment = z
  .object({
    commentId: z.string(),
    author: z.string(),
    writtenBy: z
      .string()
      .describe('`person`, `agent` (with an API key or a sign-in), `reviewer` (of this service) or `bot`.'),
    createdAt: z.string(),
    fixedIn: z.string().optional().describe('The commit that fixes it, according to the author.'),
    body: z.string(),
    bodyIsCut: z.boolean().optional().describe('Whether the rest of the text is on another page.'),
  })
  .meta({ id: 'ReviewComment' });

const DiscussionShape = z.object({
  discussionId: z.string(),
  status: z.string().describe('`open`; `addressed`: a later commit answers it; `resolved`.'),
  statusCause: z.string().describe('`opened`, `person`, `judge` (the service compared the code), …'),
  statusBy: z.string().optional(),
  statusReason: z.string().optional(),
  lastCommentBy: z.string().optional().describe('`person`, `agent`, `reviewer` or `bot`.'),
  now: z
    .object({
      outcome: z
        .string()
        .describe('`exact` (unchanged), `moved`, `changed` (the code was edited) or `gone` (removed).'),
      file: z.string(),
      startLine: z.int(),
      endLine: z.int(),
    })
    .optional()
    .describe('Where the code is at the newest head; absent until that is known.'),
  judgement: z
    .object({
      verdict: z.string().describe('`addressed`, `maybe` or `open`.'),
      commit: z.string(),
      reason: z.string(),
    })
    .optional()
    .describe(
      'Whether the code answers it, as far as the service can tell. Only `addressed` changes the status.',
    ),
  file: z.string().describe('The path at `commit`.'),
  side: z.string().optional().describe('`old` if it is on removed lines.'),
  startLine: z.int().describe('At `commit`; 0 for the whole file.'),
  endLine: z.int(),
  commit: z.string().optional().describe('The commit that was commented on.'),
  commentedCode: z.string().optional().describe('As it was then; absent if it is on the previous page.'),
  codeIsCut: z.boolean().optional().describe('Whether the rest of the code is on another page.'),
  comments: z.array(ReviewComment).describe('Oldest first.'),
});

const VerdictShape = z.object({
  by: z.string(),
  verdict: z.string().describe('`approved`, `changes_requested` or `commented`.'),
  at: z.string(),
  commit: z.string().optional().describe('The head that was reviewed.'),
  note: z.string().optional(),
  noteIsCut: z.boolean().optional(),
});

export const REVIEW_OUTPUT = {
  verdicts: z.array(VerdictShape).describe('Oldest first.'),
  discussions: z.array(DiscussionShape).describe('Oldest first.'),
  conversation: z.array(ReviewComment).describe('Comments on no particular file, oldest first.'),
};

export type ShownComment = z.input<typeof ReviewComment>;
export type ShownDiscussion = z.input<typeof DiscussionShape>;
export type ShownVerdict = z.input<typeof VerdictShape>;
