/**
 * Keeps the check `Countersign: approved` of pull requests on code hosts up to date; the next sync sends it. What changed is found by
 * comparing event numbers, so nothing is missed after a crash. Only where a merge rule has matched: without one, hosts show no such check.
 */
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { readMergeRequirements, selectPullRequestById } from '../../pull-requests/index.ts';
import { approvalCheck } from './approval-check.ts';
import { selectApprovalCheck, selectDueApprovalChecks, upsertApprovalCheck } from './approval-check-store.ts';

const AT_ONCE = 500;

export async function refreshApprovalChecks(db: Db): Promise<void> {
  for (const row of await selectDueApprovalChecks(db, AT_ONCE)) await refreshApprovalCheck(db, row);
}

/** Events that are recorded meanwhile are found by the next comparison. */
export function refreshApprovalCheck(
  db: Db,
  { id, organization_id: organizationId }: { id: string; organization_id: string },
): Promise<void> {
  return inTransaction(db, async (transaction) => {
    const evaluatedAt = new Date();
    const row = await selectPullRequestById(transaction, organizationId, id);
    const isActive = row?.state === 'open' || row?.state === 'draft';
    if (!row || !isActive || row.head_commit === null) return;
    const before = await selectApprovalCheck(transaction, id);
    const read = await readMergeRequirements(transaction, row);
    const isShown = read.rule !== null || (before !== undefined && before.state !== null);
    await upsertApprovalCheck(transaction, row, isShown ? approvalCheck(read) : null, evaluatedAt);
  });
}
