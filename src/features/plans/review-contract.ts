/** The shapes of reviews and of the other decisions on a plan. */
import { z } from 'zod';
import { requiredText, timestamp, uuid } from '../../platform/core/shapes.ts';
import { LIMITS, Note, Person, SeriesId } from './contract-fields.ts';

export const REVIEW_STATES = ['awaiting_review', 'changes_requested', 'approved'] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

export const reviewFields = {
  reviewState: z
    .enum(REVIEW_STATES)
    .nullable()
    .describe('The review state of the current content; null if the plan is implemented or closed.'),
  needsMyReview: z.boolean().describe('Whether the plan is pending and waiting for your review.'),
};

export const GetReviewCountsInput = z.object({});
export const ReviewCounts = z
  .object({
    needsMyReview: z.int().describe('Pending plans that are waiting for your review.'),
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
