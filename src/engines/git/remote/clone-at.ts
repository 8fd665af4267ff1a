/** Describes the clone that a command runs in. */
import { join } from 'node:path';
import { runGit } from '../run/run-git.ts';
import { nameFromAddress } from './parse-remote.ts';

export interface CloneHere {
  /** The folder of its working tree. */
  top: string;
  /** Undefined when no branch is checked out. */
  branch: string | undefined;
  /** The address of its remote `origin`, without the user and password that GitLab's jobs, for example, have in it. */
  origin: string | undefined;
  /** The repository's name, from the end of that address, or of its folder if it has no origin. */
  name: string | undefined;
  user: { name: string | undefined; email: string | undefined };
}

/** Undefined when the folder is not inside a working tree. The user's own settings of git are read below `home`. */
export async function cloneAt(
  folder: string,
  signal: AbortSignal,
  home?: string,
): Promise<CloneHere | undefined> {
  const ask = async (...args: string[]): Promise<string | undefined> => {
    try {
      const { stdout } = await runGit(args, {
        cwd: folder,
        // The caller chose the clone, so git may read it even if another user owns its files.
        configuration: { 'safe.directory': '*' },
        ...(home && { extraEnvironment: { HOME: home, GIT_CONFIG_GLOBAL: join(home, '.gitconfig') } }),
        signal,
      });
      return stdout.toString('utf8').trim() || undefined;
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  };
  const top = await ask('rev-parse', '--show-toplevel');
  if (!top) return undefined;
  const origin = (await ask('config', '--get', 'remote.origin.url'))?.replace(/^(https?:\/\/)[^/@]*@/i, '$1');
  return {
    top,
    branch: await ask('symbolic-ref', '--quiet', '--short', 'HEAD'),
    origin,
    name: nameFromAddress(origin ?? top) ?? undefined,
    user: {
      name: await ask('config', '--get', 'user.name'),
      email: await ask('config', '--get', 'user.email'),
    },
  };
}
