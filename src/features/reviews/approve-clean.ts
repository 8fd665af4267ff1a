/** Approves a pull request in the name of the service: only if a review looked at everything and nothing is open. */
import { uuidv7 } from '../../platform/core/uuid.ts';
import { insertVerdict, type PullRequestChange } from '../pull-requests/index.ts';
import { lookedAtEverything } from './review-report.ts';
import { selectReportedRun } from './review-report-store.ts';
import { type NewRun, SERVICE_NAME, selectOwnApproval } from './review-run-store.ts';

/** The caller has asked the setting. Reviews by agents never come here. */
export async function approveClean(change: PullRequestChange, run: NewRun, findings: number): Promise<void> {
  const { at, db, pullRequest } = change;
  const reported = await selectReportedRun(db, pullRequest.id, run.headCommit);
  const isClean =
    pullRequest.state === 'open' &&
    findings === 0 &&
    pullRequest.open_discussion_count === 0 &&
    run.checks.length > 0 &&
    lookedAtEverything({ ...run, heldBack: reported?.heldBack ?? 0 });
  if (!isClean || (await selectOwnApproval(db, pullRequest.id, run.headCommit))) return;
  const verdictId = uuidv7();
  await insertVerdict(db, {
    ...{ id: verdictId, pullRequestId: pullRequest.id, organizationId: pullRequest.organization_id },
    ...{ userId: null, userName: SERVICE_NAME, verdict: 'approved', at, commit: run.headCommit },
    note: 'Everything that changed was looked at, and nothing was found.',
    sending: pullRequest.origin === 'host' ? 'waiting' : 'none',
  });
  change.record('pull_request_reviewed', { verdictId, verdict: 'approved', headCommit: run.headCommit });
}
