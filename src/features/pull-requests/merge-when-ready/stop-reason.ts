/** Why a merge that waits is turned off without anybody asking for that. Pure. */
import { hasRole, type Role } from '../../../platform/core/operations/actor.ts';
import type { StopReason } from '../contract.ts';
import type { Requirement } from '../rules/evaluate-requirements.ts';
import { mergeabilityOf } from '../rules/mergeability-of.ts';
import type { PullRequestRow } from '../store/pull-request-store.ts';
import type { WaitingMergeRow } from '../store/waiting-merge-store.ts';

export function stopReason(
  waiting: Pick<WaitingMergeRow, 'base_branch' | 'head_commit'>,
  pullRequest: PullRequestRow,
  { requirements, role }: { role: Role | undefined; requirements: readonly Requirement[] },
): StopReason | undefined {
  if (pullRequest.base_branch !== waiting.base_branch) return 'base_changed';
  if (pullRequest.head_commit !== waiting.head_commit) return 'pushed';
  if (mergeabilityOf(pullRequest) === 'conflicts') return 'conflicts';
  const mayNot = requirements.some(({ isMet, kind }) => kind === 'who_may_merge' && !isMet);
  return role === undefined || !hasRole(role, 'member') || mayNot ? 'not_allowed' : undefined;
}
