/** Background work of reviews. */
import { z } from 'zod';
import { uuid } from '../../platform/core/operations/shapes.ts';
import { MINUTE_MS, SECOND_MS } from '../../platform/core/text/durations.ts';
import { defineJob } from '../../platform/queue/index.ts';
import { claimDueReviews } from '../pull-requests/index.ts';
import { tellOfLeftSecrets } from './decisions/tell-of-left-secrets.ts';
import { runPullRequestReview } from './runs/run-pull-request-review.ts';

const BATCH = 100;

export const reviewJobs = [
  defineJob({
    name: 'review-pull-request',
    payload: z.object({ organizationId: uuid(), pullRequestId: uuid() }),
    // Less than the time after which a review counts as lost.
    maxSeconds: 14 * 60,
    maxAtOnce: 2,
    maxPerGroup: 1,
    due: {
      schedule: { name: 'queue-due-reviews', everyMs: 5 * SECOND_MS, onChange: true },
      batch: BATCH,
      claim: (db) => claimDueReviews(db, BATCH),
      request: ({ id, organizationId }) => ({
        data: { pullRequestId: id, organizationId },
        group: organizationId,
      }),
    },
    run: runPullRequestReview,
  }),
  { name: 'tell-of-left-secrets', everyMs: MINUTE_MS, run: tellOfLeftSecrets },
];
