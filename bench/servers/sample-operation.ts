/** An operation that reads nothing: what the service does for every keyed read, and no more. */
import { z } from 'zod';
import { defineOperation } from '../../src/context.ts';
import { SAMPLE_REPLY } from './sample-reply.ts';

export const sendSample = defineOperation({
  name: 'send-sample',
  group: 'Bench',
  summary: 'Send the sample reply',
  http: { method: 'GET', path: '/api/v2/sample', status: 200 },
  accepts: ['key'],
  role: 'viewer',
  input: z.object({}),
  output: z.object({
    excludedConfig: z.array(
      z.object({ repoName: z.string(), paths: z.array(z.string()), repoId: z.string() }),
    ),
    orgConfig: z.array(
      z.object({
        key: z.string(),
        configurationId: z.string(),
        enabled: z.boolean(),
        configurationMetadata: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
  problems: [],
  run: async () => SAMPLE_REPLY,
});
