/**
 * Merges a pull request once nothing is missing, for the person who asked for that: everything is evaluated again, as if they
 * merged by hand at this moment. A push turns it off, unless it left the patch as it was and the rule keeps approvals then.
 */
import { maskText } from '../../../engines/review/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { CodeWriter } from '../../../platform/core/ports/code-writer.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import { BY_SERVICE } from '../../events/index.ts';
import { withPullRequestAs } from '../changes/with-pull-request.ts';
import { type AttemptServices, attemptMerge, NotMade } from '../merging/attempt-merge.ts';
import { readMergeRequirements } from '../rules/read-merge-requirements.ts';
import { type PullRequestRow, selectHeadOf, selectPullRequestById } from '../store/pull-request-store.ts';
import {
  markLooked,
  moveWaitingMerge,
  postponeWaitingMerge,
  selectMergerRole,
  selectWaitingMerge,
  type WaitingMergeRow,
} from '../store/waiting-merge-store.ts';
import { stopReason } from './stop-reason.ts';

const RETRY_SECONDS = 60;

export interface WhenReadyServices extends AttemptServices {
  code: Pick<CodeReader, 'compare'> & Pick<CodeWriter, 'moveBranch' | 'writeBranch'>;
}

export async function mergeWhenReady(
  services: WhenReadyServices,
  { organizationId, pullRequestId }: { organizationId: string; pullRequestId: string },
  signal: AbortSignal,
): Promise<void> {
  const { db } = services;
  const call = { caller: { organizationId, userId: 'service', credentialId: 'service' }, signal };
  const at = new Date();
  const waiting = await selectWaitingMerge(db, pullRequestId);
  const pullRequest = waiting && (await selectPullRequestById(db, organizationId, pullRequestId));
  if (!waiting || !pullRequest) return;
  try {
    await look(services, pullRequest, waiting, call);
  } catch (error) {
    // The mirror can't be read now.
    await postponeWaitingMerge(db, pullRequestId, RETRY_SECONDS);
    throw error;
  }
  await markLooked(db, waiting.id, pullRequest, at);
}

async function look(
  services: WhenReadyServices,
  pullRequest: PullRequestRow,
  given: WaitingMergeRow,
  call: Call,
): Promise<void> {
  const { db } = services;
  const { organization_id: organizationId, repository_id: repositoryId } = pullRequest;
  const { user_id: userId } = given;
  const role = await selectMergerRole(db, { organizationId, repositoryId, userId });
  const merger = { userId, role: role ?? 'viewer' };
  const { isMet, requirements, rule } = await readMergeRequirements(db, pullRequest, merger);
  const { head_commit: head, base_commit: base } = pullRequest;
  const isKept =
    (rule?.keepApprovals ?? false) && (await isSameChange(services, pullRequest, given.head_commit, call));
  if (isKept && head !== given.head_commit) await moveWaitingMerge(db, given.id, head!);
  const waiting = isKept ? { ...given, head_commit: head! } : given;
  const reason = stopReason(waiting, pullRequest, { role, requirements });
  if (reason) {
    await stop(services, pullRequest, (now) => stopReason(waiting, now, { role, requirements }));
    return;
  }
  if (!isMet || role === undefined || head === null || base === null) return;
  const source = { kind: 'session' as const, userId, credentialId: null };
  const wanted = {
    ...{ method: waiting.method, head, base, message: waiting.message ?? undefined },
    ...{ deleteBranch: waiting.delete_branch, waitingId: waiting.id },
  };
  try {
    await attemptMerge(services, { userId, source }, pullRequest, wanted, call);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'conflict') throw error;
    // Otherwise something changed just now, which makes it due again.
    if (error instanceof NotMade) {
      const problem = await maskText(error.message);
      await stop(
        services,
        pullRequest,
        (now) => (now.head_commit === head ? 'not_made' : undefined),
        problem,
      );
    }
  }
}

/** Whether the newest head has exactly the change of the one that the person saw. */
async function isSameChange(
  { code, db }: WhenReadyServices,
  { head_commit: head, id, merge_base: mergeBase, repository_id: repositoryId }: PullRequestRow,
  seen: string,
  call: Call,
): Promise<boolean> {
  if (head === seen) return true;
  const before = await selectHeadOf(db, id, seen);
  if (!before?.merge_base || mergeBase === null || head === null) return false;
  try {
    const changes = { from: seen, fromBase: before.merge_base, to: head, toBase: mergeBase };
    return await code.compare('isSameChange', repositoryId, changes, call);
  } catch (error) {
    // Commits that are gone stay gone.
    if (error instanceof Problem && error.code === 'ref_not_found') return false;
    throw error;
  }
}

async function stop(
  services: WhenReadyServices,
  { id, organization_id: organizationId }: PullRequestRow,
  reasonOf: (now: PullRequestRow) => ReturnType<typeof stopReason>,
  problem: string | null = null,
): Promise<void> {
  await withPullRequestAs(services, { ...BY_SERVICE, organizationId }, id, services.now(), async (change) => {
    const reason = reasonOf(change.pullRequest);
    if (reason) await change.endWaitingMerge(reason, problem);
  });
}
