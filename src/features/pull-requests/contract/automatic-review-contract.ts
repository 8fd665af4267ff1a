/** The shape of what the automatic review concluded about the newest head. */
import { z } from 'zod';

export const AutomaticReview = z
  .object({
    due: z.boolean().describe('Whether a review is queued or running.'),
    state: z
      .enum(['done', 'failed', 'skipped'])
      .nullable()
      .describe('For the newest head; null if it has not been reviewed.'),
    problem: z.string().nullable().describe('Why it failed or was skipped.'),
    files: z.int().describe('How many files changed, as far as the review counted them.'),
    findings: z.int().describe('New ones.'),
    isFirst: z.boolean().describe('Whether no earlier head was reviewed.'),
  })
  .meta({ id: 'AutomaticReview' });
