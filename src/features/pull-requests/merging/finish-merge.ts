/** Records what came of the push of a merge, once, whoever learns it first. */
import { maskText } from '../../../engines/review/index.ts';
import type { CodeWriter, PushOutcome } from '../../../platform/core/ports/code-writer.ts';
import type { Log } from '../../../platform/core/telemetry/log.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import type { Db } from '../../../platform/db/index.ts';
import type { ChangeSource } from '../../events/index.ts';
import { askForRefresh } from '../../repositories/index.ts';
import type { PullRequestChange } from '../changes/pull-request-change.ts';
import { withPullRequestAs } from '../changes/with-pull-request.ts';
import type { MergeFailure } from '../contract.ts';
import { headKeptBecause } from '../rules/kept-head.ts';
import { finishMergeRow, lockPushingMerge, type MergeRow } from '../store/merge-store.ts';
import { duringOwnPush } from '../store/own-push-store.ts';
import { postponeWaitingMerge, selectWaitingMerge } from '../store/waiting-merge-store.ts';

const RETRY_SECONDS = 60;

export interface FinishServices {
  db: Db;
  code: Pick<CodeWriter, 'moveBranch'>;
  log: Log;
  announce(topic: string): void;
  now(): Date;
}

export interface MergeToFinish {
  id: string;
  organizationId: string;
  pullRequestId: string;
  repositoryId: string;
  userId: string | null;
}

export type MergeEnd = { kind: 'merged' } | { kind: 'failed'; failure: MergeFailure; problem: string | null };

/** Undefined while it isn't known whether the origin took it. */
export function endOf(outcome: PushOutcome): MergeEnd | undefined {
  switch (outcome.kind) {
    case 'pushed':
      return { kind: 'merged' };
    case 'unknown':
      return undefined;
    case 'lease_lost':
      return { kind: 'failed', failure: 'lease_lost', problem: null };
    default:
      return { kind: 'failed', failure: outcome.kind, problem: outcome.message };
  }
}

export async function finishMerge(
  services: FinishServices,
  merge: MergeToFinish,
  end: MergeEnd,
  call: Call,
): Promise<void> {
  const { organizationId, pullRequestId, repositoryId, userId } = merge;
  const source: ChangeSource & { organizationId: string } = {
    kind: userId === null ? 'service' : 'session',
    userId,
    credentialId: null,
    organizationId,
  };
  const at = services.now();
  const problem = end.kind === 'failed' && end.problem !== null ? await maskText(end.problem) : null;
  const finished = await withPullRequestAs(services, source, pullRequestId, at, async (change) => {
    const row = await lockPushingMerge(change.db, merge.id);
    if (!row) return undefined;
    const failure = end.kind === 'failed' ? end.failure : null;
    await finishMergeRow(change.db, merge.id, { state: end.kind, failure, problem, at });
    const { bypassed, merge_commit: commit, method } = row;
    if (end.kind === 'failed') {
      change.record('pull_request_merge_failed', { mergeId: merge.id, failure });
      await endOrPostponeWaiting(change, { ...row, failure }, problem);
      return undefined;
    }
    change.setState('merged', {
      reason: 'merged_here',
      mergeId: merge.id,
      method,
      commit,
      ...(bypassed.length > 0 && { bypassed }),
    });
    await askForRefresh(change.db, repositoryId);
    const { head_branch: branch, head_commit: head, head_repository: fork } = change.pullRequest;
    const isDeleted =
      row.delete_branch &&
      fork === null &&
      head === row.head_commit &&
      (await headKeptBecause(change.db, change.pullRequest)) === null;
    return { branch: isDeleted ? branch : null, head: row.head_commit };
  });
  if (!finished) return;
  services.announce(repositoryId);
  const { branch, head } = finished;
  if (branch === null) return;
  // The merge is done; a branch that somebody pushed to meanwhile stays.
  try {
    const of = { id: uuidv7(), organizationId, repositoryId, pullRequestId, userId, branch };
    const push = { ...of, kind: 'delete' as const, from: head, to: null, at: services.now() };
    const { kind } = await duringOwnPush(services.db, push, () =>
      services.code.moveBranch(repositoryId, { branch, expected: head, to: null }, call),
    );
    if (kind !== 'pushed') services.log.info({ pullRequestId, kind }, 'a merged branch could not be deleted');
    else
      await withPullRequestAs(services, source, pullRequestId, services.now(), async (change) => {
        change.record('pull_request_branch_deleted', { branch, commit: head });
        await askForRefresh(change.db, repositoryId);
      });
  } catch (error) {
    services.log.warn({ err: error, pullRequestId }, 'a merged branch could not be deleted');
  }
}

/** One that waited for this merge: it is tried again if that can help without a person. */
async function endOrPostponeWaiting(
  change: PullRequestChange,
  {
    failure,
    pull_request_id: pullRequestId,
    user_id: userId,
  }: Pick<MergeRow, 'failure' | 'pull_request_id' | 'user_id'>,
  problem: string | null,
): Promise<void> {
  const { db, pullRequest } = change;
  const waiting = await selectWaitingMerge(db, pullRequestId);
  if (!waiting || waiting.user_id !== userId) return;
  if (failure === 'rejected' || failure === 'no_permission') {
    await change.endWaitingMerge('refused', problem);
    return;
  }
  await postponeWaitingMerge(db, pullRequestId, RETRY_SECONDS);
  if (failure === 'lease_lost') await askForRefresh(db, pullRequest.repository_id);
}
