/** POST /api/v2/system/failed-jobs/run-again: lets one failed job, or all of a kind, run now. */
import { defineOperation } from '../../context.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { callerOf, recordAudit } from '../audit/index.ts';
import { JobsRunAgain, RunJobsAgainInput } from './contract.ts';
import { renewFailedJobs } from './failed-job-store.ts';
import { hasQueue } from './system-store.ts';

export const runJobsAgain = defineOperation({
  name: 'run-jobs-again',
  group: 'System',
  summary: 'Run failed jobs again',
  description:
    'Jobs of your organization and of the installation. A second call while they are due or running has no effect and returns a count of 0.',
  http: { method: 'POST', path: '/api/v2/system/failed-jobs/run-again', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: RunJobsAgainInput,
  output: JobsRunAgain,
  problems: [],
  async run(context, { id, kind }) {
    const { actor, db } = context;
    if (!(await hasQueue(db))) return { count: 0 };
    const count = await inTransaction(db, async (transaction) => {
      const renewed = await renewFailedJobs(transaction, actor.organizationId, { kind, ...(id && { id }) });
      if (renewed > 0) {
        await recordAudit(transaction, callerOf(context), {
          action: 'job.run_again',
          ...(id && { subjectId: id }),
          subjectName: kind,
          detail: { count: renewed },
        });
      }
      return renewed;
    });
    return { count };
  },
});
