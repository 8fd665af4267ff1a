/**
 * Finds out after a push whether approvals of an earlier head still count, where a merge rule lets them: the change is exactly the same, and the
 * person neither pushed nor committed it. Each approval is compared with each new head once.
 */

import { Problem } from '../../../platform/core/errors/errors.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { Log } from '../../../platform/core/telemetry/log.ts';
import { type Db, isOutage } from '../../../platform/db/index.ts';
import { BY_SERVICE } from '../../events/index.ts';
import { withPullRequestAs } from '../changes/with-pull-request.ts';
import { addressesOf } from '../files/own-commit.ts';
import { chooseRule } from '../rules/choose-rule.ts';
import { selectRulesFor } from '../rules/merge-rule-store.ts';
import { hasPushed, selectCommitNames, updateVerdict } from '../store/review-store.ts';
import { type ApprovalToKeep, postponeApproval, selectApprovalsToKeep } from './keep-approvals-store.ts';

const AT_ONCE = 100;
const MAX_MS = 5 * 60_000;

export interface KeepServices {
  code: Pick<CodeReader, 'compare'>;
  log: Log;
  announce(topic: string): void;
}

export async function keepApprovals(db: Db, now: Date, services: KeepServices): Promise<void> {
  for (const approval of await selectApprovalsToKeep(db, AT_ONCE)) {
    try {
      await decide(db, now, services, approval);
    } catch (error) {
      if (isOutage(error)) throw error;
      services.log.warn(
        { err: error, pullRequestId: approval.pullRequestId },
        'an approval could not be compared with a new head',
      );
      await postponeApproval(db, approval.verdictId);
    }
  }
}

async function decide(db: Db, now: Date, services: KeepServices, approval: ApprovalToKeep): Promise<void> {
  const { head, organizationId, pullRequestId, repositoryId, userId, verdictId } = approval;
  const isKept = await isSameChange(services, approval).catch((error: unknown) => {
    // Commits that are gone stay gone.
    if (error instanceof Problem && error.code === 'ref_not_found') return false;
    throw error;
  });
  const keeps = isKept && !(await hasPartIn(db, services, approval));
  await withPullRequestAs(
    { db, announce: services.announce },
    { ...BY_SERVICE, organizationId },
    pullRequestId,
    now,
    async (change) => {
      if (change.pullRequest.head_commit !== head) return;
      await updateVerdict(change.db, verdictId, {
        kept_checked_head: head,
        kept_failures: 0,
        kept_retry_at: null,
        ...(keeps && { kept_for_head: head }),
      });
      // In an organization where another branch's rule keeps approvals, it counts only once the rule of this branch does too.
      const rules = await selectRulesFor(change.db, { organizationId, repositoryId });
      if (keeps && chooseRule(rules, change.pullRequest.base_branch)?.keepApprovals)
        change.record('pull_request_approval_kept', { verdictId, userId, headCommit: head });
    },
  );
}

async function isSameChange({ code }: KeepServices, approval: ApprovalToKeep): Promise<boolean> {
  const { approved, approvedFrom, head, mergeBase, organizationId, repositoryId } = approval;
  const changes = { from: approved, fromBase: approvedFrom, to: head, toBase: mergeBase };
  return code.compare('isSameChange', repositoryId, changes, callFor(organizationId));
}

/** Whoever rebases a pull request is an author of what they push. */
async function hasPartIn(
  db: Db,
  { code }: KeepServices,
  { head, mergeBase, organizationId, pullRequestId, repositoryId, userId }: ApprovalToKeep,
): Promise<boolean> {
  if (await hasPushed(db, pullRequestId, userId)) return true;
  const { accounts, emails } = await selectCommitNames(db, { organizationId, userId }, pullRequestId);
  const params = { from: mergeBase, to: head, addresses: addressesOf(emails, accounts) };
  return (await code.compare('findCommitBy', repositoryId, params, callFor(organizationId))) !== null;
}

function callFor(organizationId: string) {
  const caller = { organizationId, userId: 'service', credentialId: 'service' };
  return { caller, signal: AbortSignal.timeout(MAX_MS) };
}
