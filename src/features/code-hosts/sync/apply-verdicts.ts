/** Syncs the reviews of a pull request with its code host: new, changed, dismissed and withdrawn ones. */
import type { Verdict } from '../../../engines/code-hosts/index.ts';
import { storable } from '../../../platform/core/text/storable.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { insertVerdict, updateVerdict } from '../../pull-requests/index.ts';
import { nameOf } from './apply-pull-request.ts';
import type { Applying } from './apply-threads.ts';
import { markersIn } from './posted-text.ts';
import type { StoredVerdict } from './stored-state-store.ts';

export async function applyVerdicts(applying: Applying): Promise<void> {
  const { change, ours, posted, refused, sent, theirs } = applying;
  const byReview = new Map(ours.verdicts.map((row) => [row.host_review_id, row]));
  const byId = new Map(ours.verdicts.map((row) => [row.id, row]));
  const ourReviews = new Map([...posted.verdicts].map(([id, reviewId]) => [reviewId, byId.get(id)!]));
  const there = new Set(theirs.pullRequest.verdicts.map(({ id }) => id));
  for (const verdict of theirs.pullRequest.verdicts) {
    const row = byReview.get(verdict.id) ?? ourReviews.get(verdict.id) ?? ownApproval(applying, verdict);
    if (row) await applyVerdict(applying, verdict, row);
    else if (!carriesComments(applying, verdict)) await insertFromHost(applying, verdict);
  }
  for (const row of ours.verdicts) {
    if (row.host_review_id !== null) {
      if (!there.has(row.host_review_id))
        await updateVerdict(change.db, row.id, {
          // GitLab gives the next approval of our account the same ID.
          host_review_id: null,
          dismissed_at: row.dismissed_at ?? change.at,
          ...(row.sending === 'waiting' && { sending: 'sent', sending_problem: null }),
        });
      continue;
    }
    if (row.sending !== 'waiting') continue;
    if (row.dismissed_at !== null && !posted.verdicts.has(row.id)) {
      // Withdrawn before it was sent.
      await updateVerdict(change.db, row.id, { sending: 'sent', sending_problem: null });
      continue;
    }
    const problem = refused.get(row.id);
    if (posted.verdicts.get(row.id) === null || sent.has(row.id))
      await updateVerdict(change.db, row.id, { sending: 'sent', sending_problem: null });
    else if (problem !== undefined)
      await updateVerdict(change.db, row.id, { sending: 'failed', sending_problem: problem });
  }
}

/** GitLab has a verdict of ours in two parts: a comment that says for whom, and the approval of our account. */
function ownApproval(
  { ours, posted }: Applying,
  { account, body, verdict }: Verdict,
): StoredVerdict | undefined {
  if (!account || body !== '' || !posted.ownAccounts.has(account.id)) return undefined;
  const isUnbound = (row: StoredVerdict) =>
    row.host_review_id === null && row.dismissed_at === null && posted.verdicts.get(row.id) === null;
  return ours.verdicts.findLast((row) => row.verdict === verdict && isUnbound(row));
}

/** Reviews that only hold comments together, and those that contain comments of ours, say nothing about the whole. */
function carriesComments({ posted }: Applying, { body, verdict }: Verdict): boolean {
  if (verdict !== 'commented') return false;
  return body.trim() === '' || markersIn(body).some((id) => posted.inReviews.has(id));
}

async function insertFromHost(
  { accounts, change }: Applying,
  { account, at, body, commit, id: hostReviewId, verdict }: Verdict,
): Promise<void> {
  const { pullRequest } = change;
  const isDismissed = verdict === 'dismissed';
  const id = uuidv7();
  // The host no longer says what a dismissed review was.
  const said = isDismissed ? 'commented' : verdict;
  const note = body.trim() === '' ? null : storable(body);
  if (isDismissed && note === null) return;
  await insertVerdict(change.db, {
    id,
    pullRequestId: pullRequest.id,
    organizationId: pullRequest.organization_id,
    userId: null,
    accountId: (account && accounts.get(account.id)?.id) ?? null,
    name: nameOf(account),
    verdict: said,
    note,
    commit,
    baseBranch: pullRequest.base_branch,
    at: at ?? change.at,
    hostReviewId,
    dismissedAt: isDismissed ? change.at : null,
    sending: 'none',
  });
  change.record('pull_request_reviewed', { verdictId: id, verdict: said, headCommit: commit });
}

async function applyVerdict(
  { change, refused }: Applying,
  theirs: Verdict,
  row: StoredVerdict,
): Promise<void> {
  const note = theirs.body.trim() === '' ? null : storable(theirs.body);
  const isDismissed = theirs.verdict === 'dismissed';
  const isOurs = row.sending !== 'none';
  const problem = refused.get(row.id);
  // It will be dismissed there. If the host refuses, it stays as it is.
  const isWithdrawn = row.sending === 'waiting' && row.dismissed_at !== null && !isDismissed;
  if (isWithdrawn && problem === undefined) {
    if (row.host_review_id === null) await updateVerdict(change.db, row.id, { host_review_id: theirs.id });
    return;
  }
  const changes = {
    ...(row.host_review_id === null && { host_review_id: theirs.id }),
    ...(row.sending === 'waiting' && { sending: 'sent' as const, sending_problem: null }),
    ...(isWithdrawn && { sending: 'failed' as const, sending_problem: problem! }),
    ...(!isOurs && note !== row.note && { note }),
    ...(!isOurs &&
      theirs.verdict !== 'dismissed' &&
      theirs.verdict !== row.verdict && {
        verdict: theirs.verdict,
        base_branch: change.pullRequest.base_branch,
      }),
    ...(isDismissed && row.dismissed_at === null && { dismissed_at: change.at }),
    ...(!isDismissed && row.dismissed_at !== null && { dismissed_at: null }),
  };
  if (Object.keys(changes).length > 0) await updateVerdict(change.db, row.id, changes);
}
