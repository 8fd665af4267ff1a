/** Keeps HEAD of a mirror on the default branch of its origin. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runGit } from './run-git.ts';

const MAX_LISTED_BYTES = 512 * 1024 * 1024;

export interface RemoteHead {
  /** `refs/heads/…` */
  ref: string | null;
  commit: string | null;
}

/** Parses `ls-remote --symref`. A remote without commits shows no HEAD; a detached HEAD shows only a commit. */
export function readRemoteHead(output: Buffer): RemoteHead {
  const head: RemoteHead = { ref: null, commit: null };
  for (const line of output.toString('latin1').split('\n')) {
    const [value, name] = line.split('\t');
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

/** The default branch: the origin's HEAD, or else the most likely branch. Null when there are no branches. */
export function chooseDefaultBranch(
  branches: Branch[],
  { remote, present }: { remote: RemoteHead; present: string | null },
): string | null {
  const exists = (ref: string | null) => branches.some((branch) => branch.ref === ref);
  if (exists(remote.ref)) return remote.ref;
  const atHead = branches.filter(({ commit }) => commit === remote.commit);
  const pool = atHead.length > 0 ? atHead : branches;
  const likely = [present, 'refs/heads/main', 'refs/heads/master'];
  const found = likely.find((ref) => pool.some((branch) => branch.ref === ref));
  return found ?? pool[0]?.ref ?? null;
}

/** Points HEAD at the default branch. `remote` is null when the mirror's HEAD already is the origin's, as after a clone. */
export async function settleHead(gitDir: string, remote: RemoteHead | null): Promise<void> {
  const own = readHeadFile(await readFile(join(gitDir, 'HEAD'), 'latin1'));
  const branches = await listBranches(gitDir);
  const chosen = chooseDefaultBranch(branches, { remote: remote ?? own, present: own.ref });
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
