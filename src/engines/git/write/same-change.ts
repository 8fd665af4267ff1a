/** Whether a change is exactly one that was made before, on another base. */
import { readPatchId } from '../history/patch-ids.ts';
import { GitFailure } from '../run/git-failure.ts';
import type { ReadOptions } from '../run/read-output.ts';
import { applyBetween, treeOf } from './make-commits.ts';
import { withWorkspace } from './workspace.ts';

/**
 * `to` has exactly the files that applying the change from `fromBase` to `from` on `toBase` gives, and the patch is the same. The patch alone
 * says neither where its hunks are nor what follows a NUL in a line. An empty change is like no other. All are full ids of commits.
 */
export async function isSameChange({
  from,
  fromBase,
  to,
  toBase,
  ...options
}: Pick<ReadOptions, 'gitDir' | 'signal' | 'timeoutMs'> & {
  from: string;
  fromBase: string;
  to: string;
  toBase: string;
}): Promise<boolean> {
  const isSameTree = await withWorkspace(options, async (workspace) => {
    try {
      const change = { from: fromBase, to: from };
      return (await applyBetween(workspace, { ...change, on: toBase })) === (await treeOf(workspace, to));
    } catch (error) {
      if (error instanceof GitFailure && error.reason === 'exit') return false;
      throw error;
    }
  });
  if (!isSameTree) return false;
  const before = await readPatchId({ ...options, from: fromBase, to: from });
  return before !== null && before === (await readPatchId({ ...options, from: toBase, to }));
}
