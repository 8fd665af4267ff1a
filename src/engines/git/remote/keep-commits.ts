/**
 * Keeps commits of a mirror reachable by refs of our own, which no fetch prunes: heads that a force-push replaced can still
 * be read. They are outside branches and tags, so nothing lists or searches them.
 */
import { runGit } from '../run/run-git.ts';

const FOLDER = 'refs/countersign/heads/';
/** They come from elsewhere, and become arguments of git. */
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const MAX_LISTED_BYTES = 512 * 1024 * 1024;

export function keptRef(commit: string): string {
  return `${FOLDER}${commit}`;
}

/** Returns those that the mirror lacks. */
export async function keepCommits(
  gitDir: string,
  commits: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  if (commits.length === 0) return [];
  const options = { gitDir, signal, maxOutputBytes: MAX_LISTED_BYTES };
  const listed = await runGit(['for-each-ref', '--format=%(objectname)', FOLDER], options);
  const kept = new Set(linesOf(listed.stdout));
  const wanted = [...new Set(commits)].filter((commit) => COMMIT.test(commit) && !kept.has(commit));
  if (wanted.length === 0) return [];
  const looked = await runGit(['cat-file', '--batch-check=%(objecttype)', '--buffer'], {
    ...options,
    input: wanted.map((commit) => `${commit}\n`).join(''),
  });
  const types = linesOf(looked.stdout);
  const here = wanted.filter((_, index) => types[index] === 'commit');
  if (here.length > 0) {
    const input = here.map((commit) => `update ${keptRef(commit)}\0${commit}\0\0`).join('');
    await runGit(['update-ref', '--stdin', '-z'], { gitDir, signal, input });
  }
  return wanted.filter((_, index) => types[index] !== 'commit');
}

function linesOf(output: Buffer): string[] {
  return output.toString('latin1').split('\n').slice(0, -1);
}
