/** The shapes of comments and threads. */
import { z } from 'zod';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/page.ts';
import { requiredText, streamedArray, text, timestamp, uuid } from '../../platform/core/shapes.ts';
import { LIMITS, Person, PLAN_STATUSES, SeriesId, VersionNumber } from './contract-fields.ts';

export const TRIAGE_STATES = ['open', 'dismissed'] as const;

export const PlanComment = z
  .object({
    id: uuid(),
    versionId: uuid().describe('The version it belongs to.'),
    parentId: uuid().nullable(),
    body: z.string(),
    authorName: z.string(),
    anchor: z.string().nullable().describe('The place in the plan that it points to.'),
    triageState: z.enum(TRIAGE_STATES).nullable(),
    createdAt: timestamp(),
  })
  .meta({ id: 'PlanComment' });

export const ListPlanCommentsInput = z.object({ seriesId: SeriesId });
export const PlanComments = z
  .object({
    comments: streamedArray(PlanComment, 'Oldest first.'),
    mutedThreadIds: z.array(uuid()).describe('The first comments of the threads that you muted.'),
  })
  .meta({ id: 'PlanComments' });

export const AddPlanCommentInput = z.object({
  seriesId: SeriesId,
  body: requiredText({ max: LIMITS.commentCharacters }),
  versionId: uuid().describe('The version it belongs to.'),
  parentId: uuid().optional().describe('The comment it replies to.'),
  anchor: text({ max: LIMITS.anchorCharacters })
    .optional()
    .describe(
      'The place it points to: words of the plan, or `{"quote", "prefix", "suffix", "heading"}` as JSON text.',
    ),
  skipIfPosted: z
    .boolean()
    .optional()
    .describe('Add nothing when you already replied to the same comment with the same text.'),
});

export const AddedPlanComment = PlanComment.extend({
  alreadyPosted: z
    .boolean()
    .optional()
    .describe('Sent with `skipIfPosted`: whether this is the reply from before.'),
}).meta({ id: 'AddedPlanComment' });

export const ChangePlanCommentInput = z.object({
  seriesId: SeriesId,
  commentId: uuid(),
  body: requiredText({ max: LIMITS.commentCharacters }).optional().describe('Only by its author.'),
  triageState: z.enum(TRIAGE_STATES).nullable().optional().describe('By any member; null clears it.'),
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
  version: VersionNumber.optional().describe('Where anchors are looked for; the newest version unless told.'),
  commentId: uuid().optional().describe('Only the thread that has this comment.'),
  ...PAGE_INPUT,
});
export const ThreadComment = PlanComment.extend({
  threadId: uuid().describe('The first comment of its thread.'),
  author: Person,
  authorKind: z.enum(['key', 'session', 'oauth']),
  version: z.int().describe('The version it belongs to.'),
  editedAt: timestamp().nullable(),
  quote: z.string().nullable().describe('The words that its anchor points to, when they were found.'),
  placement: AnchorPlacement.nullable().describe('Where those words are in the version asked for.'),
  addressed: z
    .object({ version: z.int(), oldText: z.string(), newText: z.string() })
    .nullable()
    .describe('The later version that changed those words.'),
}).meta({ id: 'ThreadComment' });
export const PlanThreads = z
  .object({
    version: z.int(),
    status: z.enum(PLAN_STATUSES),
    lastEvent: z.int().describe('The cursor of the change feed, before the comments were read.'),
    comments: z.array(ThreadComment).describe('Oldest first.'),
    mutedThreadIds: z.array(uuid()),
    nextCursor: nextCursorShape(),
  })
  .meta({ id: 'PlanThreads' });

export const MuteThreadInput = z.object({ seriesId: SeriesId, threadId: uuid() });
