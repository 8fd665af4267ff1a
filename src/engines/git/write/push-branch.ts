/**
 * Pushes one branch to the origin with a lease: it moves from the expected commit, or not at all. The connection has the same
 * checks and credential as a fetch.
 */
import type { BranchUpdate, PushOutcome } from '../../../platform/core/ports/code-writer.ts';
import { type RemoteCredential, withConnection } from '../remote/connection.ts';
import type { RemoteAddress } from '../remote/remote-address.ts';
import { GitFailure } from '../run/git-failure.ts';
import { type RunGitOptions, runGit } from '../run/run-git.ts';
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
      const outcome = explainPush(error);
      if (outcome.kind !== 'ambiguous' && (outcome.kind !== 'lease_lost' || expected !== null))
        return outcome;
      const found = await listNamed(url, branch, { ...reach, signal }).catch((failure: unknown) => {
        if (failure instanceof GitFailure) return { tip: null, namesakes: [] };
        throw failure;
      });
      // git also takes another name for a branch that doesn't exist yet.
      if (outcome.kind === 'lease_lost' && (found.tip !== null || found.namesakes.length === 0))
        return outcome;
      const names = found.namesakes.join(', ') || 'another name that ends like its own';
      const message = `git can’t tell the branch ${branch} from ${names}. Delete that on the server, then try again.`;
      return { kind: 'rejected', message };
    }
  });
}

/** Null if the branch doesn't exist. Throws a `GitFailure` when the origin can't be asked. */
export async function askBranch(
  target: PushTarget,
  { branch, signal }: { branch: string; signal?: AbortSignal | undefined },
): Promise<string | null> {
  return await withConnection(
    target,
    async ({ options, url }) => (await listNamed(url, branch, { ...options, signal })).tip,
  );
}

/** To git, `refs/heads/main` can also mean these with `refs/heads/main` after them: nothing is pushed to it while one exists. */
const NAMESAKES = ['refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'];

async function listNamed(
  url: string,
  branch: string,
  options: RunGitOptions,
): Promise<{ tip: string | null; namesakes: string[] }> {
  const ref = `refs/heads/${branch}`;
  // The pattern matches the ends of names.
  const { stdout } = await runGit(['ls-remote', '--end-of-options', url, ref], {
    ...options,
    timeoutMs: ASK_TIMEOUT_MS,
  });
  const lines = stdout.toString('utf8').split('\n');
  const found = new Map(lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.split('\t')[0]!]));
  return {
    tip: found.get(ref) ?? null,
    namesakes: NAMESAKES.map((start) => `${start}${ref}`).filter((name) => found.has(name)),
  };
}
