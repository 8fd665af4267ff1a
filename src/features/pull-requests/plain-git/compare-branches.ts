/** Checks that a branch can be reviewed against another one of the same repository, and finds what they are compared at. */

import { invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import type { Db } from '../../../platform/db/index.ts';
import { findOrAsk, unknownRef } from '../../repositories/index.ts';
import { selectBranchCommits } from './plain-git-store.ts';

export interface ComparedBranches {
  headCommit: string;
  baseCommit: string;
  mergeBase: string;
}

/** `field` is what the request calls the branch that it can change. */
export async function compareBranches(
  services: { db: Db; code: Pick<CodeReader, 'askOrigin' | 'compare'>; call: Call },
  repository: { id: string; name: string },
  { base, head, field }: { head: string; base: string; field: 'head' | 'base' },
): Promise<ComparedBranches> {
  const { call, code, db } = services;
  if (head === base) {
    const other = field === 'head' ? 'base' : 'head';
    const message = `must not be the same branch as ${other}: both are ${head}`;
    throw invalidRequest([{ path: field, message }]);
  }
  const commitOf = async (branch: string): Promise<string> => {
    const outcome = await findOrAsk(services, repository.id, { isPushed: true }, async () =>
      (await selectBranchCommits(db, repository.id, [branch])).get(branch),
    );
    if ('found' in outcome) return outcome.found;
    throw await unknownRef(db, repository, { name: branch, kinds: ['branch'] }, outcome.answer);
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
