/**
 * Approves a pull request in the name of the service: only if a review looked at everything, nothing is open, and people approved its plans.
 * Withdraws it when it no longer applies.
 */
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import {
  insertVerdict,
  type PullRequestChange,
  selectLinkedPlans,
  updateVerdict,
} from '../../pull-requests/index.ts';
import { lookedAtEverything } from '../publishing/review-report.ts';
import { selectReportedRun } from '../publishing/review-report-store.ts';
import { type NewRun, SERVICE_NAME, selectOwnVerdict, selectRaised } from './review-run-store.ts';

/** After a run without findings, unless a secret that was removed waits for somebody to say that it was revoked. The caller has checked the setting; reviews by agents never approve. Returns whether it is approved. */
export async function approveClean(change: PullRequestChange, run: NewRun): Promise<boolean> {
  const { db, pullRequest } = change;
  const reported = await selectReportedRun(db, pullRequest.id, run.headCommit);
  const isClean =
    pullRequest.state === 'open' &&
    pullRequest.open_discussion_count === 0 &&
    run.checks.length > 0 &&
    lookedAtEverything({ ...run, heldBack: reported?.heldBack ?? 0 });
  if (!isClean) return false;
  const raised = await selectRaised(db, pullRequest.id);
  if (raised.some(({ claim, status }) => claim === 'secret' && status === 'addressed')) return false;
  const approval = await selectApproval(change);
  if (!approval || !isCurrent(change, approval, run))
    await say(change, run, 'approved', 'Everything that changed was looked at, and nothing was found.');
  return true;
}

const MAX_PLANS = 1000;

/** The service doesn't approve the code of a plan that nobody approved; a pull request without plans needs none. */
export async function areLinkedPlansApproved({ db, pullRequest }: PullRequestChange): Promise<boolean> {
  const plans = await selectLinkedPlans(
    db,
    {
      organizationId: pullRequest.organization_id,
      repositoryId: pullRequest.repository_id,
      number: pullRequest.number,
    },
    { plans: MAX_PLANS, files: 0 },
  );
  return plans.every(({ reviewState }) => reviewState === 'approved');
}

/**
 * An approval no longer applies when there are new findings, when a linked plan is not approved, or after a newer commit or for another base branch that was not approved. It is dismissed on the
 * code host too, if the host lets us; either way, a comment says why.
 */
export async function withdrawApproval(
  change: PullRequestChange,
  run: NewRun,
  { findings, isPlanApproved }: { findings: number; isPlanApproved: boolean },
): Promise<void> {
  const approval = await selectApproval(change);
  if (!approval || (findings === 0 && isPlanApproved && isCurrent(change, approval, run))) return;
  const isOnHost = change.pullRequest.origin === 'host';
  await updateVerdict(change.db, approval.id, {
    dismissed_at: change.at,
    ...(isOnHost && { sending: 'waiting', sending_problem: null }),
  });
  const commit = approval.commit?.slice(0, 12) ?? 'an earlier commit';
  const reason =
    findings > 0
      ? 'there are new findings.'
      : isPlanApproved
        ? approval.commit === run.headCommit
          ? 'the base branch changed.'
          : 'newer commits could not be approved.'
        : 'nobody has approved the linked plan.';
  await say(change, run, 'commented', `The approval of ${commit} no longer applies: ${reason}`);
}

/** Unless it was dismissed or withdrawn. */
async function selectApproval({ db, pullRequest }: PullRequestChange) {
  const last = await selectOwnVerdict(db, pullRequest.id);
  return last?.verdict === 'approved' && last.dismissed_at === null ? last : undefined;
}

function isCurrent(
  { pullRequest }: PullRequestChange,
  approval: { commit: string | null; base_branch: string | null },
  { headCommit }: NewRun,
): boolean {
  return approval.commit === headCommit && approval.base_branch === pullRequest.base_branch;
}

async function say(
  change: PullRequestChange,
  { headCommit }: NewRun,
  verdict: 'approved' | 'commented',
  note: string,
): Promise<void> {
  const { at, db, pullRequest } = change;
  const verdictId = uuidv7();
  await insertVerdict(db, {
    ...{ id: verdictId, pullRequestId: pullRequest.id, organizationId: pullRequest.organization_id },
    ...{ userId: null, name: SERVICE_NAME, verdict, note, at, commit: headCommit },
    baseBranch: pullRequest.base_branch,
    sending: pullRequest.origin === 'host' ? 'waiting' : 'none',
  });
  change.record('pull_request_reviewed', { verdictId, verdict, headCommit });
}
