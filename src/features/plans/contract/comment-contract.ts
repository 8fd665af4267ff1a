/** The shapes of comments and threads. */
import { z } from 'zod';
import { nextCursorShape, PAGE_INPUT } from '../../../platform/core/operations/page.ts';
import {
  requiredText,
  streamedArray,
  text,
  timestamp,
  uuid,
} from '../../../platform/core/operations/shapes.ts';
import { LIMITS, Person, PLAN_STATUSES, SeriesId, VersionNumber } from './contract-fields.ts';

export const TRIAGE_STATES = ['open', 'dismissed'] as const;

export const PlanComment = z
  .object({
    id: uuid(),
    versionId: uuid().describe('The version the comment was written on.'),
    parentId: uuid().nullable(),
    body: z.string(),
    authorName: z.string(),
    anchor: z.string().nullable().describe('The text in the plan that it refers to.'),
    triageState: z.enum(TRIAGE_STATES).nullable(),
    createdAt: timestamp(),
  })
  .meta({ id: 'PlanComment' });

export const ListPlanCommentsInput = z.object({ seriesId: SeriesId });
export const PlanComments = z
  .object({
    comments: streamedArray(PlanComment, 'Oldest first.'),
    mutedThreadIds: z
      .array(uuid())
      .describe('The IDs of the threads you muted (the ID of a thread is the ID of its first comment).'),
  })
  .meta({ id: 'PlanComments' });

export const AddPlanCommentInput = z.object({
  seriesId: SeriesId,
  body: requiredText({ max: LIMITS.commentCharacters }),
  versionId: uuid().describe('The version you are commenting on.'),
  parentId: uuid().optional().describe('The comment you are replying to.'),
  anchor: text({ max: LIMITS.anchorCharacters })
    .optional()
    .describe(
      'The text it refers to: a quote from the plan, or `{"quote", "prefix", "suffix", "heading"}` as a JSON string.',
    ),
  skipIfPosted: z
    .boolean()
    .optional()
    .describe('Do nothing if you already posted the same reply to the same comment.'),
});

export const AddedPlanComment = PlanComment.extend({
  alreadyPosted: z
    .boolean()
    .optional()
    .describe('Present with `skipIfPosted`: true if this is your earlier reply.'),
}).meta({ id: 'AddedPlanComment' });

export const ChangePlanCommentInput = z.object({
  seriesId: SeriesId,
  commentId: uuid(),
  body: requiredText({ max: LIMITS.commentCharacters }).optional().describe('Only the author can change it.'),
  triageState: z.enum(TRIAGE_STATES).nullable().optional().describe('Any member can set it; null clears it.'),
});

export const AnchorPlacement = z
  .discriminatedUnion('result', [
    z.object({ result: z.literal('exact'), start: z.int(), end: z.int() }),
    z.object({ result: z.literal('moved'), start: z.int(), end: z.int() }),
    z.object({
      result: z.literal('edited'),
      start: z.int(),
      end: z.int(),
      oldText: z.string(),
      newText: z.string(),
    }),
    z.object({ result: z.literal('orphaned'), heading: z.string().nullable() }),
  ])
  .meta({ id: 'AnchorPlacement' });

export const ListPlanThreadsInput = z.object({
  seriesId: SeriesId,
  version: VersionNumber.optional().describe('The version to locate quotes in. Default: the latest.'),
  commentId: uuid().optional().describe('Return only the thread that contains this comment.'),
  ...PAGE_INPUT,
});
export const ThreadComment = PlanComment.extend({
  threadId: uuid().describe('The ID of the first comment in its thread.'),
  author: Person,
  authorKind: z.enum(['key', 'session', 'oauth']),
  version: z.int().describe('The version the comment was written on.'),
  editedAt: timestamp().nullable(),
  quote: z.string().nullable().describe('The quoted text, if it was found.'),
  placement: AnchorPlacement.nullable().describe('Where the quoted text is in the requested version.'),
  addressed: z
    .object({ version: z.int(), oldText: z.string(), newText: z.string() })
    .nullable()
    .describe('The later version that changed the quoted text.'),
}).meta({ id: 'ThreadComment' });
export const PlanThreads = z
  .object({
    version: z.int(),
    status: z.enum(PLAN_STATUSES),
    lastEvent: z.int().describe('The cursor of the change feed before the comments were read.'),
    comments: z.array(ThreadComment).describe('Oldest first.'),
    mutedThreadIds: z.array(uuid()),
    nextCursor: nextCursorShape(),
  })
  .meta({ id: 'PlanThreads' });

export const MuteThreadInput = z.object({ seriesId: SeriesId, threadId: uuid() });
