/** Brings up to date what a code host is told about the reviews of a pull request; it is sent with the next synchronization. */
import type { PullRequestChange } from '../../pull-requests/index.ts';
import { reviewReport } from './review-report.ts';
import { selectReportedFindings, selectReportedRun, upsertReport } from './review-report-store.ts';

/** Does nothing for plain git, and while the newest head has no review. */
export async function refreshReport({ db, pullRequest }: PullRequestChange): Promise<void> {
  const { head_commit: headCommit, id, organization_id: organizationId, origin } = pullRequest;
  if (origin !== 'host' || headCommit === null) return;
  const run = await selectReportedRun(db, id, headCommit);
  if (!run) return;
  const findings = await selectReportedFindings(db, id);
  await upsertReport(db, { id, organizationId }, reviewReport(run, findings));
}
