/**
 * Merges whose process ended between the push and its record, or didn't learn what the origin did: the origin is asked whether it has the
 * commit. Nothing is pushed again.
 */
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { CodeWriter } from '../../../platform/core/ports/code-writer.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import { type MergeRow, takeInterruptedMerges } from '../store/merge-store.ts';
import { type FinishServices, finishMerge, type MergeEnd } from './finish-merge.ts';

const AT_ONCE = 20;
const MAX_MS = 2 * 60_000;

export interface RecoverServices extends FinishServices {
  code: Pick<CodeReader, 'compare'> & Pick<CodeWriter, 'askBranch' | 'moveBranch'>;
}

export async function recoverMerges(services: RecoverServices): Promise<void> {
  for (const row of await takeInterruptedMerges(services.db, AT_ONCE)) {
    const { id, organization_id: organizationId, pull_request_id: pullRequestId } = row;
    const caller = { organizationId, userId: 'service', credentialId: 'service' };
    const call = { caller, signal: AbortSignal.timeout(MAX_MS) };
    try {
      const end = await lookFor(services, row, call);
      const merge = { id, organizationId, pullRequestId, repositoryId: row.repository_id };
      await finishMerge(services, { ...merge, userId: row.user_id }, end, call);
    } catch (error) {
      // The origin can't be asked; it is tried again.
      services.log.warn({ err: error, pullRequestId }, 'it is not known yet whether a merge was pushed');
    }
  }
}

async function lookFor({ code }: RecoverServices, row: MergeRow, call: Call): Promise<MergeEnd> {
  const { base_branch: branch, base_commit: base, merge_commit: commit, repository_id: repositoryId } = row;
  const tip = await code.askBranch(repositoryId, branch, call);
  if (tip === commit) return { kind: 'merged' };
  if (tip === base || tip === null) return { kind: 'failed', failure: 'interrupted', problem: null };
  try {
    const isThere = await code.compare('isAncestor', repositoryId, { from: commit, to: tip }, call);
    return isThere ? { kind: 'merged' } : { kind: 'failed', failure: 'lease_lost', problem: null };
  } catch (error) {
    // The origin sent everything it has, and the commit isn't there.
    if (error instanceof Problem && error.code === 'ref_not_found')
      return { kind: 'failed', failure: 'lease_lost', problem: null };
    throw error;
  }
}
