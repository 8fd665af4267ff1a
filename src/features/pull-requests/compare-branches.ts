/** Checks that a branch can be reviewed against another one of the same repository, and finds what they are compared at. */
import type { CodeReader } from '../../platform/core/code-reader.ts';
import { invalidRequest, Problem } from '../../platform/core/errors.ts';
import type { Call } from '../../platform/core/fair-queue.ts';
import type { Db } from '../../platform/db/index.ts';
import { suggestBranches } from '../repositories/index.ts';
import { selectBranchCommits } from './plain-git-store.ts';

export interface ComparedBranches {
  headCommit: string;
  baseCommit: string;
  mergeBase: string;
}

/** `field` is what the request calls the branch that it can change. */
export async function compareBranches(
  services: { db: Db; code: Pick<CodeReader, 'compare'>; call: Call },
  repository: { id: string; name: string },
  { base, head, field }: { head: string; base: string; field: 'head' | 'base' },
): Promise<ComparedBranches> {
  const { call, code, db } = services;
  if (head === base) {
    const other = field === 'head' ? 'base' : 'head';
    const message = `must not be the same branch as ${other}: both are ${head}`;
    throw invalidRequest([{ path: field, message }]);
  }
  const commits = await selectBranchCommits(db, repository.id, [head, base]);
  const commitOf = async (branch: string): Promise<string> => {
    const commit = commits.get(branch);
    if (commit !== undefined) return commit;
    const near = await suggestBranches(db, repository.id, branch);
    const next =
      near.length === 0 ? 'Push it first.' : `Did you mean ${near.join(' or ')}? Otherwise, push it first.`;
    throw new Problem('ref_not_found', `${repository.name} has no branch named ${branch}. ${next}`);
  };
  const [headCommit, baseCommit] = [await commitOf(head), await commitOf(base)];
  const pair = { from: headCommit, to: baseCommit };
  if (await code.compare('isAncestor', repository.id, pair, call)) {
    throw new Problem('conflict', `${base} already contains every commit of ${head}.`);
  }
  const mergeBase = await code.compare('mergeBase', repository.id, pair, call);
  if (mergeBase === null) throw new Problem('conflict', `${head} and ${base} have no common history.`);
  return { headCommit, baseCommit, mergeBase };
}

/** Whether a head doesn't contain the one before it; null when the earlier one is gone. */
export async function wasForced(
  { call, code }: { code: Pick<CodeReader, 'compare'>; call: Call },
  repositoryId: string,
  { from, to }: { from: string | null; to: string },
): Promise<boolean | null> {
  if (from === null) return null;
  try {
    return !(await code.compare('isAncestor', repositoryId, { from, to }, call));
  } catch (error) {
    if (error instanceof Problem && error.code === 'ref_not_found') return null;
    throw error;
  }
}
