/**
 * Follows the branches of a plain-git pull request that moved: new head, merged, or closed. Only asks git; nothing is written here.
 */

import { Problem } from '../../../platform/core/errors/errors.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import { authorOfPush } from '../changes/author-of-push.ts';
import type { NewHead } from '../store/pull-request-store.ts';
import { wasForced } from './compare-branches.ts';
import type { MovedRow } from './plain-git-store.ts';

export interface Followed {
  /** The row must still have these when this is written. */
  headBefore: string | null;
  baseBefore: string | null;
  baseBranch: string;
  head?: NewHead;
  /** The base branch moved. */
  base?: { baseCommit: string; mergeBase: string | null };
  state?: 'merged' | 'closed';
  /** Why the state changed. */
  data?: {
    reason: 'contained' | 'squashed' | 'rebased' | 'head_deleted' | 'base_deleted' | 'no_changes';
    commit?: string;
  };
}

interface Services {
  code: Pick<CodeReader, 'compare'>;
  call: Call;
}

export async function followBranches(services: Services, row: MovedRow): Promise<Followed> {
  const { base_commit: baseBefore, base_now: base, head_commit: headBefore, head_now: headNow } = row;
  const before = { headBefore, baseBefore, baseBranch: row.base_branch };
  if (base === null) return { ...before, state: 'closed', data: { reason: 'base_deleted' } };
  const merge = await findMerge(services, row, base);
  const head = await findHead(services, row, base);
  const moved = { ...before, ...(head && { head }) };
  if (merge) return { ...moved, state: 'merged', data: merge };
  if (headNow === null) return { ...moved, state: 'closed', data: { reason: 'head_deleted' } };
  // A branch that was reset to something the base has long had was not merged.
  if (await isContained(services, row.repository_id, headNow, base)) {
    return { ...moved, state: 'closed', data: { reason: 'no_changes' } };
  }
  const mergeBase = await ask(services, 'mergeBase', row.repository_id, { from: headNow, to: base });
  return { ...moved, base: { baseCommit: base, mergeBase: mergeBase ?? null } };
}

/**
 * Merged if the head it had, or the one it has now, came into the base. The head before counts too: the branch can be
 * rebased and merged, or deleted, between two fetches.
 */
async function findMerge(services: Services, row: MovedRow, base: string): Promise<Followed['data']> {
  for (const head of new Set([row.head_now, row.head_commit])) {
    if (head === null) continue;
    const merge = await ask(services, 'findMerge', row.repository_id, { from: base, to: head });
    if (!merge) continue;
    const long = row.base_commit !== null && head !== row.head_commit;
    if (long && (await isContained(services, row.repository_id, head, row.base_commit!))) continue;
    return { reason: merge.how, ...(merge.how === 'squashed' && { commit: merge.commit }) };
  }
  return undefined;
}

/** A new head; it is compared at the base as it was before the head was merged into it. */
async function findHead(services: Services, row: MovedRow, base: string): Promise<NewHead | undefined> {
  const { base_commit: baseBefore, head_commit: from, head_now: to, repository_id: repositoryId } = row;
  if (to === null || to === from) return undefined;
  const merged = await isContained(services, repositoryId, to, base);
  const baseCommit = merged && baseBefore !== null ? baseBefore : base;
  const mergeBase = (await ask(services, 'mergeBase', repositoryId, { from: to, to: baseCommit })) ?? null;
  const forced = await wasForced(services, repositoryId, { from, to });
  const author = await authorOfPush(services, repositoryId, { base: baseCommit, head: to });
  return { commit: to, baseCommit, mergeBase, forced, author };
}

async function isContained(
  services: Services,
  repositoryId: string,
  from: string,
  to: string,
): Promise<boolean> {
  return (await ask(services, 'isAncestor', repositoryId, { from, to })) ?? false;
}

/** Undefined when a commit is gone from the repository. */
async function ask<Name extends 'mergeBase' | 'isAncestor' | 'findMerge'>(
  { call, code }: Services,
  name: Name,
  repositoryId: string,
  pair: { from: string; to: string },
) {
  try {
    return await code.compare(name, repositoryId, pair, call);
  } catch (error) {
    if (error instanceof Problem && error.code === 'ref_not_found') return undefined;
    throw error;
  }
}
