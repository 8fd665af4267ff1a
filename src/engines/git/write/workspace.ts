/**
 * A temporary folder for new objects beside those of a mirror: the mirror itself is only read, so a crash leaves nothing in it, and
 * making commits needn't wait for a fetch.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Merged, runMerges, writingTo } from '../history/merge-trees.ts';
import type { ReadOptions } from '../run/read-output.ts';
import { type RunGitOptions, runGit } from '../run/run-git.ts';
import { makeTemporaryFolder } from '../run/temporary-folder.ts';

export interface Workspace {
  gitDir: string;
  folder: string;
  signal: AbortSignal | undefined;
  extraEnvironment: Record<string, string>;
  /** Its output. */
  run(
    args: string[],
    options?: Pick<RunGitOptions, 'input' | 'extraEnvironment' | 'maxOutputBytes'>,
  ): Promise<Buffer>;
  /** Its output without the line break at the end. */
  ask(args: string[], options?: Pick<RunGitOptions, 'input' | 'extraEnvironment'>): Promise<string>;
  merge(ours: string, theirs: string): Promise<Merged>;
}

export async function withWorkspace<Result>(
  { gitDir, signal }: { gitDir: string; signal?: AbortSignal | undefined },
  use: (workspace: Workspace) => Promise<Result>,
): Promise<Result> {
  const folder = await makeTemporaryFolder('write');
  const objects = join(folder, 'objects');
  const extraEnvironment = writingTo(objects, gitDir);
  const run: Workspace['run'] = async (args, options) => {
    const environment = { ...extraEnvironment, ...options?.extraEnvironment };
    return (await runGit(args, { ...options, gitDir, signal, extraEnvironment: environment })).stdout;
  };
  const reading: ReadOptions = { gitDir, signal, extraEnvironment };
  try {
    await mkdir(objects);
    return await use({
      gitDir,
      folder,
      signal,
      extraEnvironment,
      run,
      ask: async (args, options) => (await run(args, options)).toString('latin1').trimEnd(),
      async merge(ours, theirs) {
        for await (const merged of runMerges(ours, [theirs], reading)) return merged;
        return { kind: 'failed' };
      },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function indexFileOf({ folder }: Workspace): string {
  return join(folder, 'index');
}
