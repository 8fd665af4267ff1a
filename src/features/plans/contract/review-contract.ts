/** The shapes of reviews and of the other decisions on a plan. */
import { z } from 'zod';
import { requiredText, timestamp, uuid } from '../../../platform/core/operations/shapes.ts';
import { LIMITS, Note, Person, SeriesId } from './contract-fields.ts';

export const REVIEW_STATES = ['awaiting_review', 'changes_requested', 'approved'] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

export const reviewStateField = {
  reviewState: z
    .enum(REVIEW_STATES)
    .nullable()
    .describe(
      '`approved`: a person approved the newest version and nobody withdrew that. It decides whether work may go ahead: `status` doesn’t, because an implemented plan may never have been approved. Null if the plan is closed.',
    ),
};
export const reviewFields = {
  ...reviewStateField,
  needsMyReview: z
    .boolean()
    .describe('Whether your review was requested and nobody has approved the newest version.'),
};

export const GetReviewCountsInput = z.object({});
export const ReviewCounts = z
  .object({
    needsMyReview: z.int().describe('Plans that are waiting for your review.'),
    changesRequested: z.int().describe('Pending plans you created that have changes requested.'),
  })
  .meta({ id: 'ReviewCounts' });

export const PlanReview = z
  .object({
    id: uuid(),
    versionId: uuid(),
    version: z.int(),
    reviewer: Person,
    verdict: z.enum(['approved', 'changes_requested']),
    note: z.string().nullable(),
    createdAt: timestamp(),
    withdrawnAt: timestamp().nullable(),
  })
  .meta({ id: 'PlanReview' });

export const ApprovePlanInput = z.object({
  seriesId: SeriesId,
  versionId: uuid().describe('The version you reviewed. The approval applies to this version only.'),
  note: Note.optional(),
});
export const RequestPlanChangesInput = z.object({
  seriesId: SeriesId,
  versionId: uuid(),
  note: requiredText({ max: LIMITS.noteCharacters }),
});
export const ChangePlanStatusInput = z.object({ seriesId: SeriesId, note: Note.optional() });
export const RequestPlanReviewInput = z.object({
  seriesId: SeriesId,
  userIds: z.array(uuid()).min(1).max(LIMITS.reviewersAtOnce),
});
