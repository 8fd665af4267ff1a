/** Background work of trials. */
import { z } from 'zod';
import { uuid } from '../../platform/core/operations/shapes.ts';
import { SECOND_MS } from '../../platform/core/text/durations.ts';
import { defineJob } from '../../platform/queue/index.ts';
import { runTrial } from './run-trial.ts';
import { claimTrials } from './trial-store.ts';

/** For each trial that was started, or whose worker was lost. */
export const trialJobs = [
  defineJob({
    name: 'run-review-trial',
    payload: z.object({ organizationId: uuid(), trialId: uuid() }),
    maxSeconds: 60 * 60,
    maxAtOnce: 1,
    maxPerGroup: 1,
    due: {
      schedule: { name: 'queue-review-trials', everyMs: 5 * SECOND_MS, onChange: true },
      claim: claimTrials,
      request: ({ id, organizationId }) => ({ data: { trialId: id, organizationId }, group: organizationId }),
    },
    run: runTrial,
  }),
];
