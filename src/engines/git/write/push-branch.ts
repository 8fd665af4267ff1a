/**
 * Pushes one branch to the origin with a lease: it moves from the expected commit, or not at all. The connection has the same
 * checks and credential as a fetch.
 */
import type { BranchUpdate, PushOutcome } from '../../../platform/core/ports/code-writer.ts';
import { type RemoteCredential, withConnection } from '../remote/connection.ts';
import type { RemoteAddress } from '../remote/remote-address.ts';
import { GitFailure } from '../run/git-failure.ts';
import { runGit } from '../run/run-git.ts';
import { explainPush } from './explain-push.ts';

export const PUSH_TIMEOUT_MS = 90_000;
const ASK_TIMEOUT_MS = 30_000;

export interface PushTarget {
  /** Checked just before; see `checkRemoteAddress`. */
  remote: RemoteAddress;
  credential: RemoteCredential | null;
  /** Private to the caller, for files of the connection. */
  folder: string;
  knownHostsFile: string;
}

export async function pushBranch(
  target: PushTarget,
  {
    branch,
    expected,
    to,
    ...options
  }: BranchUpdate & {
    /** Null deletes the branch. */
    to: string | null;
    gitDir: string;
    /** Where new objects are. */
    extraEnvironment?: Record<string, string>;
    signal?: AbortSignal | undefined;
    timeoutMs?: number;
  },
): Promise<PushOutcome> {
  const { extraEnvironment, gitDir, signal, timeoutMs = PUSH_TIMEOUT_MS } = options;
  const ref = `refs/heads/${branch}`;
  const args = ['push', '--no-progress', '--no-verify', '--no-signed', '--no-follow-tags'];
  const lease = `--force-with-lease=${ref}:${expected ?? ''}`;
  return await withConnection({ ...target, isPush: true }, async ({ options: reach, url }) => {
    try {
      await runGit([...args, lease, '--end-of-options', url, `${to ?? ''}:${ref}`], {
        ...reach,
        extraEnvironment: { ...extraEnvironment, ...reach.extraEnvironment },
        gitDir,
        signal,
        timeoutMs,
      });
      return { kind: 'pushed' };
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      return explainPush(error);
    }
  });
}

/** Null if the branch doesn't exist. Throws a `GitFailure` when the origin can't be asked. */
export async function askBranch(
  target: PushTarget,
  { branch, signal }: { branch: string; signal?: AbortSignal | undefined },
): Promise<string | null> {
  const ref = `refs/heads/${branch}`;
  return await withConnection(target, async ({ options, url }) => {
    const { stdout } = await runGit(['ls-remote', '--end-of-options', url, ref], {
      ...options,
      signal,
      timeoutMs: ASK_TIMEOUT_MS,
    });
    // The pattern matches the ends of names too.
    const line = stdout
      .toString('utf8')
      .split('\n')
      .find((each) => each.endsWith(`\t${ref}`));
    return line?.slice(0, line.indexOf('\t')) ?? null;
  });
}
