/** The merge of a branch and its target, as a commit in a temporary repository that borrows the mirror's objects. */
import { rm } from 'node:fs/promises';
import { GitFailure, makeTemporaryFolder, runGit } from '../../git/index.ts';
import { COMMIT_BY, initBorrowing } from './working-tree.ts';

export interface MergedTree {
  /** The temporary repository. */
  gitDir: string;
  commit: string;
  close(): Promise<void>;
}

/** Null when they conflict: git reports that without a review. */
export async function openMergedTree(place: {
  gitDir: string;
  head: string;
  target: string;
  signal: AbortSignal;
}): Promise<MergedTree | null> {
  const { head, signal, target } = place;
  const gitDir = await makeTemporaryFolder('merge');
  const close = () => rm(gitDir, { recursive: true, force: true });
  try {
    const format = head.length === 64 ? 'sha256' : 'sha1';
    await initBorrowing({ gitDir, commonDir: place.gitDir, format, signal });
    const options = { gitDir, signal, extraEnvironment: COMMIT_BY };
    const tree = await mergeTrees(target, head, options);
    if (tree === null) {
      await close();
      return null;
    }
    const parents = ['-p', target, '-p', head];
    const { stdout } = await runGit(['commit-tree', tree, ...parents], { ...options, input: 'Merge\n' });
    return { gitDir, commit: stdout.toString('latin1').trim(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function mergeTrees(
  target: string,
  head: string,
  options: { gitDir: string; signal: AbortSignal },
): Promise<string | null> {
  try {
    const merged = await runGit(['merge-tree', '--write-tree', '--no-messages', target, head], options);
    return merged.stdout.toString('latin1').trim();
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'exit' && error.exitCode === 1) return null;
    throw error;
  }
}
