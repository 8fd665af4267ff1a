/** A commit with a patch that was not pushed, as a commit of a temporary repository that borrows the mirror's objects. */
import { rm } from 'node:fs/promises';
import { GitFailure, makeTemporaryFolder, runGit } from '../../git/index.ts';
import { COMMIT_BY, initBorrowing } from './working-tree.ts';

export interface PatchedTree {
  /** The temporary repository. */
  gitDir: string;
  base: string;
  /** The same for the same base and patch. */
  head: string;
  /** Files that the patch only says to differ. */
  binaryFiles: string[];
  close(): Promise<void>;
}

/** The patch does not apply, with what git says about it. */
export class BadPatch extends Error {
  override name = 'BadPatch';
}

/** So that the same patch always makes the same commit. */
const DATES = { GIT_AUTHOR_DATE: '1000000000 +0000', GIT_COMMITTER_DATE: '1000000000 +0000' };
const MAX_SAID_CHARACTERS = 500;

export async function openPatchedTree(place: {
  gitDir: string;
  base: string;
  patch: string;
  signal: AbortSignal;
}): Promise<PatchedTree> {
  const { base, signal } = place;
  const { binaryFiles, patch } = withoutBinaryFiles(place.patch);
  const gitDir = await makeTemporaryFolder('patch');
  const close = () => rm(gitDir, { recursive: true, force: true });
  try {
    const format = base.length === 64 ? 'sha256' : 'sha1';
    await initBorrowing({ gitDir, commonDir: place.gitDir, format, signal });
    const options = { gitDir, signal, extraEnvironment: { ...COMMIT_BY, ...DATES } };
    await runGit(['read-tree', '--end-of-options', base], options);
    if (patch.trim() !== '') await applyPatch(patch, options);
    const tree = (await runGit(['write-tree'], options)).stdout.toString('latin1').trim();
    const { stdout } = await runGit(['commit-tree', tree, '-p', base], { ...options, input: 'Patch\n' });
    return { gitDir, base, head: stdout.toString('latin1').trim(), binaryFiles, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Only the index is changed: no file of a patch is ever written to a folder. */
async function applyPatch(patch: string, options: { gitDir: string; signal: AbortSignal }): Promise<void> {
  try {
    await runGit(['apply', '--cached', '--whitespace=nowarn', '-'], {
      ...options,
      input: patch.endsWith('\n') ? patch : `${patch}\n`,
    });
  } catch (error) {
    if (!(error instanceof GitFailure && error.reason === 'exit')) throw error;
    throw new BadPatch(error.stderrTail.trim().slice(0, MAX_SAID_CHARACTERS));
  }
}

/** git refuses a patch as a whole when it names a binary file without its content. */
function withoutBinaryFiles(patch: string): { patch: string; binaryFiles: string[] } {
  const binaryFiles: string[] = [];
  const kept = patch.split(/^(?=diff --git )/m).filter((section) => {
    if (!/^(Binary files .* differ|GIT binary patch)$/m.test(section)) return true;
    binaryFiles.push(/^diff --git a\/.* b\/(.*)$/m.exec(section)?.[1] ?? 'a binary file');
    return false;
  });
  return { patch: kept.join(''), binaryFiles };
}
