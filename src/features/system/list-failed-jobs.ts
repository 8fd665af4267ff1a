/** GET /api/v2/system/failed-jobs: jobs of the organization, and of the installation itself, that failed. */
import { defineOperation } from '../../context.ts';
import { FailedJobs, ListFailedJobsInput, MAX_FAILED_JOBS } from './contract.ts';
import { selectFailedJobs } from './failed-job-store.ts';
import { hasQueue } from './system-store.ts';

export const listFailedJobs = defineOperation({
  name: 'list-failed-jobs',
  group: 'System',
  summary: 'List failed jobs',
  description:
    'Background jobs of your organization, and those of the installation such as backups, whose last run failed. They are retried with backoff for about three days.',
  http: { method: 'GET', path: '/api/v2/system/failed-jobs', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: ListFailedJobsInput,
  output: FailedJobs,
  problems: [],
  async run({ actor, db }) {
    const rows = (await hasQueue(db))
      ? await selectFailedJobs(db, actor.organizationId, MAX_FAILED_JOBS + 1)
      : [];
    const jobs = rows.slice(0, MAX_FAILED_JOBS).map((row) => ({
      id: row.id,
      kind: row.kind,
      state: row.state === 'failed' ? ('failed' as const) : ('retrying' as const),
      attempts: row.attempts,
      lastRunAt: row.started_at?.toISOString() ?? null,
      nextRunAt: row.state === 'failed' ? null : row.next_run_at.toISOString(),
      error: row.error,
      repository: row.repository,
    }));
    return { jobs, more: rows.length > jobs.length };
  },
});
