/** Keeps HEAD of a mirror on the default branch of its origin. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runGit } from './run-git.ts';

const MAX_LISTED_BYTES = 512 * 1024 * 1024;

/** Where `git clone` stores its origin's HEAD. */
export const UPSTREAM_HEAD = 'refs/remotes/origin/HEAD';

export interface RemoteHead {
  /** `refs/heads/…` */
  ref: string | null;
  commit: string | null;
  /** For a clone that someone works in: the default branch of its own origin. */
  upstream?: string | null;
}

/** Parses `ls-remote --symref`. A remote without commits shows no HEAD; a detached HEAD shows only a commit. */
export function readRemoteHead(output: Buffer): RemoteHead {
  const head: RemoteHead = { ref: null, commit: null };
  for (const line of output.toString('latin1').split('\n')) {
    const [value, name] = line.split('\t');
    const upstream = /^ref: refs\/remotes\/origin\/(.+)$/.exec(value ?? '')?.[1];
    if (name === UPSTREAM_HEAD && upstream) head.upstream = `refs/heads/${upstream}`;
    if (name !== 'HEAD' || value === undefined) continue;
    if (value.startsWith('ref: refs/heads/')) head.ref = value.slice('ref: '.length);
    else if (/^[0-9a-f]{40,64}$/.test(value)) head.commit = value;
  }
  return head;
}

export interface Branch {
  /** `refs/heads/…`, one character per byte. */
  ref: string;
  commit: string;
}

/**
 * The default branch: the origin's HEAD, or else the most likely branch. Null when there are no branches. In a clone that
 * someone works in, HEAD is what they have checked out, so it is considered last.
 */
export function chooseDefaultBranch(
  branches: Branch[],
  {
    isWorkedIn = false,
    remote,
    present,
  }: { remote: RemoteHead; present: string | null; isWorkedIn?: boolean },
): string | null {
  const exists = (ref: string | null) => branches.some((branch) => branch.ref === ref);
  if (isWorkedIn) {
    const usual = [remote.upstream ?? null, present, 'refs/heads/main', 'refs/heads/master'].find(exists);
    if (usual) return usual;
  }
  if (exists(remote.ref)) return remote.ref;
  const atHead = branches.filter(({ commit }) => commit === remote.commit);
  const pool = atHead.length > 0 ? atHead : branches;
  const likely = [present, 'refs/heads/main', 'refs/heads/master'];
  const found = likely.find((ref) => pool.some((branch) => branch.ref === ref));
  return found ?? pool[0]?.ref ?? null;
}

/** Points HEAD at the default branch. `isNew`: after a clone, when the mirror's HEAD is the origin's. */
export async function settleHead(
  gitDir: string,
  { isNew = false, isWorkedIn, remote }: { remote: RemoteHead | null; isWorkedIn: boolean; isNew?: boolean },
): Promise<void> {
  const own = readHeadFile(await readFile(join(gitDir, 'HEAD'), 'latin1'));
  const branches = await listBranches(gitDir);
  const present = isNew && isWorkedIn ? null : own.ref;
  const chosen = chooseDefaultBranch(branches, { remote: remote ?? own, present, isWorkedIn });
  if (chosen === null || chosen === own.ref) return;
  // Not through git: branch names are bytes, and arguments are text.
  const next = join(gitDir, 'HEAD.lock');
  await writeFile(next, `ref: ${chosen}\n`, 'latin1');
  await rename(next, join(gitDir, 'HEAD'));
}

/** The content of a HEAD file, one character per byte. */
export function readHeadFile(content: string): RemoteHead {
  const text = content.trimEnd();
  return text.startsWith('ref: ') ? { ref: text.slice(5), commit: null } : { ref: null, commit: text };
}

async function listBranches(gitDir: string): Promise<Branch[]> {
  const { stdout } = await runGit(['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/'], {
    gitDir,
    maxOutputBytes: MAX_LISTED_BYTES,
  });
  const lines = stdout.toString('latin1').split('\n');
  return lines.flatMap((line) => {
    const space = line.indexOf(' ');
    return space === -1 ? [] : [{ commit: line.slice(0, space), ref: line.slice(space + 1) }];
  });
}
