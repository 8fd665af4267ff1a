/** The shapes of a plan's events and of its change feed. */
import { z } from 'zod';
import { nextCursorShape, PAGE_INPUT } from '../../../platform/core/operations/page.ts';
import { changesShape, eventShape, STREAM_INPUT, WAIT_INPUT } from '../../events/contract.ts';
import { PlanComment } from './comment-contract.ts';
import { PLAN_STATUSES, SeriesId } from './contract-fields.ts';
import { reviewStateField } from './review-contract.ts';

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

export const PlanEvent = eventShape({
  noun: 'plan',
  kinds: PLAN_EVENT_KINDS,
  examples: ['from', 'to', 'note', 'version', 'versionId', 'commentId'],
}).meta({ id: 'PlanEvent' });

export const ListPlanActivityInput = z.object({ seriesId: SeriesId, ...PAGE_INPUT });
export const PlanActivity = z
  .object({
    events: z.array(PlanEvent).describe('Newest first.'),
    nextCursor: nextCursorShape(),
  })
  .meta({ id: 'PlanActivity' });

export const WaitForPlanChangesInput = z.object({ seriesId: SeriesId, ...WAIT_INPUT });
const { cursor, events } = changesShape(PlanEvent);
export const PlanChanges = z
  .object({
    events,
    comments: z.array(PlanComment).describe('The comments that the events refer to, in their current state.'),
    cursor,
    status: z.enum(PLAN_STATUSES),
    ...reviewStateField,
    version: z.int(),
  })
  .meta({ id: 'PlanChanges' });

export const StreamPlanChangesInput = z.object({ seriesId: SeriesId, ...STREAM_INPUT });
