/** Background work of architecture. */
import { z } from 'zod';
import { uuid } from '../../platform/core/operations/shapes.ts';
import { SECOND_MS } from '../../platform/core/text/durations.ts';
import { defineJob } from '../../platform/queue/index.ts';
import { claimUndescribed } from '../repositories/index.ts';
import { type DescribeServices, describeRepository } from './describe/describe-repository.ts';

const BATCH = 200;

/** Once for each repository whose head or name changed. */
export const describeJob = defineJob({
  name: 'describe-repository',
  payload: z.object({ repositoryId: uuid() }),
  maxSeconds: 60 * 60,
  maxAtOnce: 1,
  maxPerGroup: 1,
  due: {
    schedule: { name: 'queue-descriptions', everyMs: 10 * SECOND_MS, onChange: true },
    batch: BATCH,
    claim: (db) => claimUndescribed(db, BATCH),
    request: ({ id, organizationId }) => ({ data: { repositoryId: id }, group: organizationId }),
  },
  run: (services: DescribeServices, { repositoryId }, signal) =>
    describeRepository(services, repositoryId, signal),
});

export const architectureJobs = [describeJob];
