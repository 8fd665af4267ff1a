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
