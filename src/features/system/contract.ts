/** The shapes of the state of the installation. */
import { z } from 'zod';
import { requiredText, timestamp, uuid } from '../../platform/core/operations/shapes.ts';

export const MAX_FAILED_JOBS = 100;

const Node = z
  .object({
    host: z.string(),
    roles: z.array(z.string()).describe('`web`, `worker` or both.'),
    version: z.string(),
    since: timestamp().describe('When it connected to the database.'),
  })
  .meta({ id: 'SystemNode' });

const QueueState = z
  .object({
    kind: z.string(),
    waiting: z.int().describe('Including jobs that are due later.'),
    running: z.int(),
    failing: z.int().describe('Jobs that failed for good, or at least five times in a row.'),
    lagSeconds: z.number().describe('How long the oldest job that is due has waited.'),
  })
  .meta({ id: 'SystemQueue' });

export const GetSystemInput = z.object({});
export const System = z
  .object({
    versions: z.object({
      countersign: z.string(),
      node: z.string(),
      postgres: z.string(),
      git: z.string().nullable().describe('Null when it isn’t installed.'),
      ripgrep: z.string().nullable(),
    }),
    sizes: z.object({
      databaseBytes: z.number(),
      mirrorBytes: z
        .number()
        .describe('Copies of repositories, search indexes and facts on the node that serves the request.'),
      mirrorsCounted: z.boolean().describe('Whether all were counted; false when counting took too long.'),
      diskFreeBytes: z.number().describe('On the node that serves the request.'),
    }),
    nodes: z.array(Node).describe('The nodes that are connected to the database.'),
    queues: z
      .array(QueueState)
      .describe('Kinds of jobs that are waiting, running or failing, in all organizations.'),
    backup: z
      .object({
        finishedAt: timestamp().nullable(),
        file: z.string().nullable(),
        bytes: z.number().nullable(),
        problem: z.string().nullable().describe('Why the last one failed.'),
      })
      .nullable()
      .describe('The last scheduled backup; null when none was ever made.'),
  })
  .meta({ id: 'System' });

export const CheckSystemInput = z.object({});
export const SystemChecks = z
  .object({
    checks: z.array(
      z.object({
        name: z.string(),
        state: z.enum(['good', 'bad', 'skipped']),
        detail: z.string(),
        next: z.string().nullable().describe('What to do about it.'),
      }),
    ),
  })
  .meta({ id: 'SystemChecks' });

export const ListFailedJobsInput = z.object({});
export const FailedJobs = z
  .object({
    jobs: z
      .array(
        z.object({
          id: uuid(),
          kind: z.string(),
          state: z.enum(['retrying', 'failed']).describe('`retrying`: it runs again at `nextRunAt`.'),
          attempts: z.int(),
          lastRunAt: timestamp().nullable(),
          nextRunAt: timestamp().nullable(),
          error: z.string().describe('Without anything that looks like a secret.'),
          repository: z.string().nullable().describe('The repository that it is about, if any.'),
        }),
      )
      .describe(`Those that ran last come first, at most ${MAX_FAILED_JOBS}.`),
    more: z.boolean().describe('Whether there are more.'),
  })
  .meta({ id: 'FailedJobs' });

export const RunJobsAgainInput = z.object({
  kind: requiredText({ max: 100 }),
  id: uuid().optional().describe('Only this job; default all failed jobs of the kind.'),
});
export const JobsRunAgain = z
  .object({ count: z.int().describe('How many run again. Jobs that are due or running anyway don’t count.') })
  .meta({ id: 'JobsRunAgain' });
