/** The shapes of what reviewers wrote about a pull request, for get_branch_discussions. */
import { z } from 'zod';
import { ours } from '../text/marking.ts';

const ReviewComment = z
  .object({
    commentId: ours('id'),
    author: z.string(),
    writtenBy: ours('word').describe(
      '`person`, `agent` (with an API key or a sign-in), `reviewer` (of this service) or `bot`.',
    ),
    createdAt: ours('time'),
    fixedIn: ours('id').optional().describe('The commit that fixes it, according to the author.'),
    body: z.string(),
    bodyIsCut: z.boolean().optional().describe('Whether the rest of the text is on another page.'),
  })
  .meta({ id: 'ReviewComment' });

const DiscussionShape = z.object({
  discussionId: ours('id'),
  status: ours('word').describe('`open`; `addressed`: a later commit answers it; `resolved`.'),
  statusCause: ours('word').describe('`opened`, `person`, `judge` (the service compared the code), …'),
  statusBy: z.string().optional(),
  statusReason: z.string().optional(),
  lastCommentBy: ours('word').optional().describe('`person`, `agent`, `reviewer` or `bot`.'),
  now: z
    .object({
      outcome: ours('word').describe(
        '`exact` (unchanged), `moved`, `changed` (the code was edited) or `gone` (removed).',
      ),
      file: z.string(),
      startLine: z.int(),
      endLine: z.int(),
    })
    .optional()
    .describe('Where the code is at the newest head; absent until that is known.'),
  judgement: z
    .object({
      verdict: ours('word').describe('`addressed`, `maybe` or `open`.'),
      commit: ours('id'),
      reason: z.string(),
    })
    .optional()
    .describe(
      'Whether the code answers it, as far as the service can tell. Only `addressed` changes the status.',
    ),
  file: z.string().describe('The path at `commit`.'),
  side: ours('word').optional().describe('`old` if it is on removed lines.'),
  startLine: z.int().describe('At `commit`; 0 for the whole file.'),
  endLine: z.int(),
  commit: ours('id').optional().describe('The commit that was commented on.'),
  commentedCode: z.string().optional().describe('As it was then; absent if it is on the previous page.'),
  codeIsCut: z.boolean().optional().describe('Whether the rest of the code is on another page.'),
  comments: z.array(ReviewComment).describe('Oldest first.'),
});

const VerdictShape = z.object({
  by: z.string(),
  verdict: ours('word').describe('`approved`, `changes_requested` or `commented`.'),
  at: ours('time'),
  commit: ours('id').optional().describe('The head that was reviewed.'),
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
