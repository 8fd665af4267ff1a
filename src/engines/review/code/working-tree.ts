/**
 * The working tree of a clone as a commit, with changed and new files, so that a local review reads two commits as any other.
 * Nothing is written into the clone: the commit is in a temporary repository that borrows the clone's objects.
 */
import { copyFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  findMergeBase,
  GitFailure,
  makeTemporaryFolder,
  type RunGitOptions,
  runGit,
} from '../../git/index.ts';

export interface WorkingTree {
  /** The temporary repository. */
  gitDir: string;
  base: string;
  head: string;
  /** The branch that the change is compared with. */
  baseName: string;
  /** Paths that git could not add, such as a folder with a repository that has no commit. */
  unreadable: string[];
  close(): Promise<void>;
}

export type WorkingTreeProblem = 'not_a_clone' | 'no_commit' | 'no_base' | 'unrelated';

export class NoWorkingTree extends Error {
  readonly reason: WorkingTreeProblem;

  constructor(reason: WorkingTreeProblem, message: string) {
    super(message);
    this.name = 'NoWorkingTree';
    this.reason = reason;
  }
}

/** The caller chose the clone, so git may read it even if another user owns its files. */
const CONFIGURATION = { 'safe.directory': '*' };
export const COMMIT_BY = {
  ...{ GIT_AUTHOR_NAME: 'review', GIT_AUTHOR_EMAIL: 'review@localhost' },
  ...{ GIT_COMMITTER_NAME: 'review', GIT_COMMITTER_EMAIL: 'review@localhost' },
};

export async function openWorkingTree(place: {
  folder: string;
  /** A branch, tag or commit; the default branch when it is not given. */
  base: string | undefined;
  signal: AbortSignal;
}): Promise<WorkingTree> {
  const { folder, signal } = place;
  const ask = async (args: string[]) => {
    const { stdout } = await runGit(args, { cwd: folder, configuration: CONFIGURATION, signal });
    return stdout.toString('utf8').trim();
  };
  const places = await orNothing(() =>
    ask(['rev-parse', '--show-toplevel', '--git-dir', '--git-common-dir']),
  );
  if (!places)
    throw new NoWorkingTree('not_a_clone', `${folder} is not inside a git clone with a working tree`);
  const [top, ownDir, commonDir] = places.split('\n').map((path) => resolve(folder, path)) as [
    string,
    string,
    string,
  ];
  const tip = await orNothing(() => ask(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']));
  if (!tip) throw new NoWorkingTree('no_commit', 'the clone has no commit yet');
  const found = await findBase(ask, place.base);
  const gitDir = await makeTemporaryFolder('review');
  const close = () => rm(gitDir, { recursive: true, force: true });
  try {
    await borrowObjects({ gitDir, ownDir, commonDir, format: tip.length === 64 ? 'sha256' : 'sha1', signal });
    const { head, unreadable } = await commitWorkingTree({ gitDir, top, tip, signal });
    const base = await findMergeBase({ gitDir, from: found.commit, to: head, signal });
    if (!base)
      throw new NoWorkingTree('unrelated', `${found.name} and the working tree have no common commit`);
    return { gitDir, base, head, baseName: found.name, unreadable, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Uses the requested base, else the remote's default branch, else a branch with a usual name. */
async function findBase(
  ask: (args: string[]) => Promise<string>,
  asked: string | undefined,
): Promise<{ name: string; commit: string }> {
  const names =
    asked === undefined ? ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'] : [asked];
  for (const name of names) {
    const commit = await orNothing(() =>
      ask(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]),
    );
    if (commit) return { name, commit: commit.split('\n').at(-1)! };
  }
  throw new NoWorkingTree(
    'no_base',
    asked === undefined
      ? 'no default branch was found: name the branch to compare with by --base'
      : `there is no branch, tag or commit ${asked}`,
  );
}

async function borrowObjects(places: {
  gitDir: string;
  ownDir: string;
  commonDir: string;
  format: string;
  signal: AbortSignal;
}): Promise<void> {
  const { commonDir, gitDir, ownDir } = places;
  await initBorrowing(places);
  // The index makes git read only files that changed; without one it reads all of them.
  await copyIndex(join(ownDir, 'index'), join(gitDir, 'index'));
  await copyIfThere(join(commonDir, 'info/exclude'), join(gitDir, 'info/exclude'));
  await copyIfThere(join(commonDir, 'shallow'), join(gitDir, 'shallow'));
}

/** An empty repository that reads the objects of another one. */
export async function initBorrowing(places: {
  gitDir: string;
  commonDir: string;
  format: string;
  signal: AbortSignal;
}): Promise<void> {
  const { commonDir, format, gitDir, signal } = places;
  await runGit(['init', '--quiet', '--bare', `--object-format=${format}`, gitDir], { signal });
  await writeFile(join(gitDir, 'objects/info/alternates'), `${join(commonDir, 'objects')}\n`);
}

async function commitWorkingTree(places: {
  gitDir: string;
  top: string;
  tip: string;
  signal: AbortSignal;
}): Promise<{ head: string; unreadable: string[] }> {
  const { gitDir, signal, tip, top } = places;
  const options = {
    gitDir,
    cwd: top,
    configuration: CONFIGURATION,
    extraEnvironment: { ...COMMIT_BY, GIT_WORK_TREE: top },
    signal,
  };
  const unreadable = await addAll(options);
  const tree = (await runGit(['write-tree'], options)).stdout.toString('latin1').trim();
  const { stdout } = await runGit(['commit-tree', tree, '-p', tip], { ...options, input: 'Working tree\n' });
  return { head: stdout.toString('latin1').trim(), unreadable };
}

/** Adds what can be added, and returns the paths that git names as a problem. */
async function addAll(options: RunGitOptions): Promise<string[]> {
  try {
    await runGit(['add', '--all', '--ignore-errors'], options);
    return [];
  } catch (error) {
    if (!(error instanceof GitFailure) || error.exitCode !== 1) throw error;
    const named = Array.from(error.stderrTail.matchAll(/'([^'\n]+)'/g), ([, path]) => path!);
    if (named.length === 0) throw error;
    return [...new Set(named)];
  }
}

/** With its time: git reads a file again if it may have changed after the index was written, in the same second. */
async function copyIndex(from: string, to: string): Promise<void> {
  const written = await stat(from).catch(() => undefined);
  if (!written) return;
  await copyFile(from, to);
  const seconds = Math.floor(written.mtimeMs / 1000);
  await utimes(to, seconds, seconds);
}

async function copyIfThere(from: string, to: string): Promise<void> {
  await copyFile(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** Undefined when git says no. */
async function orNothing(ask: () => Promise<string>): Promise<string | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'exit') return undefined;
    throw error;
  }
}
