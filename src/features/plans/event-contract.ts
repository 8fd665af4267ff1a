/** The shapes of a plan's events and of its change feed. */
import { z } from 'zod';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/page.ts';
import { timestamp, uuid } from '../../platform/core/shapes.ts';
import { PlanComment } from './comment-contract.ts';
import { LIMITS, PLAN_STATUSES, SeriesId } from './contract-fields.ts';

export const PLAN_EVENT_KINDS = [
  'plan_created',
  'version_added',
  'status_changed',
  'approved',
  'approval_withdrawn',
  'changes_requested',
  'review_requested',
  'comment_added',
  'comment_edited',
  'comment_triaged',
  'comments_addressed',
  'pull_request_linked',
] as const;
export type PlanEventKind = (typeof PLAN_EVENT_KINDS)[number];

const ActorShape = z.object({
  kind: z.enum(['key', 'session', 'oauth', 'service']).describe('How the actor authenticated.'),
  id: uuid().nullable(),
  name: z.string().nullable(),
});

export const PlanEvent = z
  .object({
    number: z
      .int()
      .describe(
        "The plan's events are numbered 1, 2, 3, …; the number is also the cursor of its change feed.",
      ),
    kind: z.string().describe(`One of ${PLAN_EVENT_KINDS.join(', ')}. More kinds may be added.`),
    actor: ActorShape,
    createdAt: timestamp(),
    data: z
      .record(z.string(), z.unknown())
      .describe('What changed, for example `from`, `to`, `note`, `version`, `versionId` or `commentId`.'),
  })
  .meta({ id: 'PlanEvent' });

export const ListPlanActivityInput = z.object({ seriesId: SeriesId, ...PAGE_INPUT });
export const PlanActivity = z
  .object({
    events: z.array(PlanEvent).describe('Newest first.'),
    nextCursor: nextCursorShape(),
  })
  .meta({ id: 'PlanActivity' });

export const WaitForPlanChangesInput = z.object({
  seriesId: SeriesId,
  since: z
    .int()
    .min(0)
    .optional()
    .describe('The number of the last event you have seen. Default: the latest event.'),
  waitSeconds: z
    .int()
    .min(0)
    .max(LIMITS.maxWaitSeconds)
    .optional()
    .describe('How long to wait, in seconds. Default: 20.'),
});
export const PlanChanges = z
  .object({
    events: z
      .array(
        PlanEvent.extend({
          own: z.boolean().describe('Whether the event was made with the credential of this request.'),
        }),
      )
      .describe('Oldest first, at most 200; empty if the wait timed out.'),
    comments: z.array(PlanComment).describe('The comments that the events refer to, in their current state.'),
    cursor: z.int().describe('Send this as `since` in the next request.'),
    status: z.enum(PLAN_STATUSES),
    version: z.int(),
  })
  .meta({ id: 'PlanChanges' });

export const StreamPlanChangesInput = z.object({
  seriesId: SeriesId,
  since: z.int().min(0).optional().describe('Same as the `Last-Event-ID` header, which takes precedence.'),
});
