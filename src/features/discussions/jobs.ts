/** Background work of discussions. */
import { z } from 'zod';
import { uuid } from '../../platform/core/operations/shapes.ts';
import { SECOND_MS } from '../../platform/core/text/durations.ts';
import { defineJob } from '../../platform/queue/index.ts';
import { claimUnjudged } from '../pull-requests/index.ts';
import { judgePullRequest } from './judge-pull-request.ts';

const BATCH = 200;

/** Once for each pull request with a new head. */
export const judgeJob = defineJob({
  name: 'judge-pull-request',
  payload: z.object({ organizationId: uuid(), pullRequestId: uuid() }),
  maxSeconds: 600,
  maxAtOnce: 2,
  maxPerGroup: 1,
  due: {
    schedule: { name: 'queue-judgements', everyMs: 10 * SECOND_MS, onChange: true },
    batch: BATCH,
    claim: (db) => claimUnjudged(db, BATCH),
    request: ({ id, organizationId }) => ({
      data: { pullRequestId: id, organizationId },
      group: organizationId,
    }),
  },
  run: judgePullRequest,
});

export const discussionJobs = [judgeJob];
