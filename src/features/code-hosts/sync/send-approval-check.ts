/** Sends the check `Countersign: approved` to a code host if it says something new. Sending it twice changes nothing. */
import {
  type CodeHost,
  type HostError,
  isHostError,
  type PullRequestRef,
} from '../../../engines/code-hosts/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { markApprovalCheckSent, selectApprovalCheck } from './approval-check-store.ts';
import { APPROVAL_CHECK_NAME } from './host-statuses.ts';
import { refreshApprovalCheck } from './refresh-approval-check.ts';

/** Throws if the host can't be asked now; what it refuses is recorded. */
export async function sendApprovalCheck(
  db: Db,
  host: CodeHost,
  ref: PullRequestRef,
  { id, organizationId, url }: { id: string; organizationId: string; url: string },
): Promise<void> {
  if ((await selectApprovalCheck(db, id))?.sending !== 'waiting') return;
  // Evaluated again, because it may no longer hold.
  await refreshApprovalCheck(db, { id, organization_id: organizationId });
  const check = await selectApprovalCheck(db, id);
  if (!check || check.state === null || check.sending !== 'waiting') return;
  const { commit, state, text, title } = check;
  let problem: string | null = null;
  try {
    await host.setCheck(ref.repository, commit, { name: APPROVAL_CHECK_NAME, state, title, text, url });
  } catch (error) {
    if (!isHostError(error, 'forbidden', 'not_found', 'invalid', 'unsupported')) throw error;
    problem = (error as HostError).message;
  }
  await markApprovalCheckSent(db, id, check, problem);
}
