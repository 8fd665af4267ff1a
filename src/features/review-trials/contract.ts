/** The shapes and limits of trials: reviewers on past pull requests, with nothing posted. */
import { z } from 'zod';
import { timestamp, uuid } from '../../platform/core/operations/shapes.ts';

export const TRIAL_LIMITS = { pullRequests: 100, trials: 10, findings: 500 } as const;
export const TRIAL_OUTCOMES = ['added', 'same', 'lost'] as const;

/** As it is kept. */
export interface TrialFinding {
  outcome: (typeof TRIAL_OUTCOMES)[number];
  fixed: boolean;
  reviewer: string;
  check: string;
  title: string;
  file: string;
  line: number;
  quote: string;
}

const Count = z
  .object({
    count: z.int(),
    fixed: z
      .int()
      .describe('How many of them were addressed: in the pull request, or on the default branch since.'),
  })
  .meta({ id: 'TrialCount' });

const TRIAL = {
  id: uuid(),
  reviewerId: uuid().nullable().describe('Null when all active reviewers were tried.'),
  version: z.int().nullable(),
  codeHostId: uuid().nullable(),
  state: z.enum(['running', 'done', 'cancelled']),
  startedBy: z.string(),
  pullRequests: z.int().describe('In repositories that you can see.'),
  reviewed: z.int().describe('How many of them were looked at so far.'),
  failed: z.int().describe('How many of them could not be reviewed.'),
  added: Count.describe('Findings that reviews didn’t raise.'),
  same: Count.describe('Findings that reviews raised too.'),
  lost: Count.describe('Findings that reviews raised and the trial didn’t.'),
  createdAt: timestamp(),
  finishedAt: timestamp().nullable(),
};
export const ReviewTrial = z.object(TRIAL).meta({ id: 'ReviewTrial' });

export const StartReviewTrialInput = z.object({
  reviewerId: uuid().optional().describe('The reviewer to try.'),
  version: z.int().min(1).optional().describe('Default: the active version.'),
  codeHostId: uuid()
    .optional()
    .describe('Instead of a reviewer: try all active ones on what was merged on this code host.'),
});
export const ListReviewTrialsInput = z.object({
  reviewerId: uuid().optional(),
  codeHostId: uuid().optional(),
});
export const ReviewTrials = z
  .object({ trials: z.array(ReviewTrial).describe('Newest first, at most 10.') })
  .meta({ id: 'ReviewTrials' });
export const GetReviewTrialInput = z.object({ trialId: uuid() });
export const CancelReviewTrialInput = z.object({ trialId: uuid() });
export const ReviewTrialDetails = z
  .object({
    ...TRIAL,
    findings: z
      .array(
        z.object({
          outcome: z.enum(TRIAL_OUTCOMES),
          fixed: z.boolean(),
          reviewerTitle: z.string(),
          check: z.string(),
          title: z.string(),
          file: z.string(),
          line: z.int(),
          quote: z.string(),
          pullRequestId: uuid(),
          repoName: z.string(),
          prNumber: z.int(),
        }),
      )
      .describe(`At most ${TRIAL_LIMITS.findings}.`),
    problems: z
      .array(z.object({ repoName: z.string(), prNumber: z.int(), problem: z.string() }))
      .describe('Pull requests that could not be reviewed.'),
  })
  .meta({ id: 'ReviewTrialDetails' });
