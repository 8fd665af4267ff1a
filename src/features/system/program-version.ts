/** The version that a program on this machine reports. */
import { execFile } from 'node:child_process';
import { RIPGREP } from '../../engines/search/index.ts';
import { ANSWER_WITHIN_MS } from './host-check.ts';

export const PROGRAMS = {
  git: { file: 'git', words: ['--version'] },
  ssh: { file: 'ssh', words: ['-V'] },
  /** Comes with the package. */
  ripgrep: { file: RIPGREP, words: ['--version'] },
} as const;

/** The first line of its output; undefined if it isn't installed or doesn't run. */
export function programVersion(
  name: keyof typeof PROGRAMS,
  searchPath?: string,
): Promise<string | undefined> {
  const { file, words } = PROGRAMS[name];
  return new Promise((done) => {
    execFile(
      file,
      [...words],
      { timeout: ANSWER_WITHIN_MS, ...(searchPath !== undefined && { env: { PATH: searchPath } }) },
      (error, stdout, stderr) => done(error ? undefined : (stdout || stderr).trim().split('\n', 1)[0]!),
    );
  });
}

/** It merges many branches in one process (`git merge-tree --stdin`). */
const OLDEST_GIT = [2, 39] as const;

/** Why this git is too old; undefined if it isn't, or if it doesn't say its version. */
export function oldGitProblem(version: string): { detail: string; next: string } | undefined {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  if (major === undefined || minor === undefined) return undefined;
  const [oldestMajor, oldestMinor] = OLDEST_GIT;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return {
    detail: `${version} is too old`,
    next: `Install git ${OLDEST_GIT.join('.')} or newer: without it, merge conflicts aren’t found.`,
  };
}
