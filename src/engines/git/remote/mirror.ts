/**
 * Creates and updates bare mirrors of repositories: branches and tags, under the names they have at the origin, other refs
 * on request, and commits that are kept after the origin dropped them.
 *
 * Invariants: a mirror appears atomically; a killed fetch leaves a working mirror; no credential is left behind; only this
 * process writes to a mirror, one job at a time.
 */
import { mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type RemoteHead, readRemoteHead, settleHead, UPSTREAM_HEAD } from '../run/default-branch.ts';
import { GitFailure } from '../run/git-failure.ts';
import { CONNECTING, createProgressReader, type MirrorProgress } from '../run/progress.ts';
import { runGit } from '../run/run-git.ts';
import { absorbClone } from './absorb-clone.ts';
import { type Connection, type RemoteCredential, withConnection } from './connection.ts';
import { keepCommits, keptRef } from './keep-commits.ts';
import { countPacks, sweepBeside, sweepInside, takeTurn, unfinishedPrefix } from './mirror-folder.ts';
import type { RemoteAddress } from './remote-address.ts';
import { watchTransfer } from './watch-transfer.ts';

const TIMEOUT_MS = 12 * 60 * 60_000;
/** Slow servers are rare; one that never answers must not block other clones. */
const FIRST_ANSWER_TIMEOUT_MS = 60_000;
const QUIET_TIMEOUT_MS = 2 * 60_000;
const MAX_BYTES = 100 * 1024 ** 3;
const MAX_PACKS = 50;
/** How many missing commits are requested together. */
const KEEP_AT_ONCE = 20;
const REFSPECS = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];

export interface MirrorOptions {
  /** In a folder that belongs to this repository only; unfinished clones are created next to it. */
  gitDir: string;
  /** Checked just before; see `checkRemoteAddress`. */
  remote: RemoteAddress;
  credential: RemoteCredential | null;
  /** Where SSH host keys are stored: one file for all repositories. */
  knownHostsFile: string;
  /** Further refs to fetch, under their own names: patterns with a `*`, which stands for any part. */
  otherRefs?: readonly string[];
  /** Commits to keep whatever happens to the branches that had them. Those that are missing are requested by their ids. */
  keep?: readonly string[];
  /** Commits to fetch by their full ids, if the origin has them. */
  wanted?: readonly string[];
  onProgress?: (progress: MirrorProgress) => void;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** How long to wait for the first response. */
  firstAnswerTimeoutMs?: number;
  /** How long the remote can be silent after its first response. */
  quietTimeoutMs?: number;
  /** The most bytes to receive in one transfer. */
  maxBytes?: number;
}

/** Creates the mirror, or updates it if it exists, as after a crash. */
export async function cloneMirror(options: MirrorOptions): Promise<void> {
  await work(options, async (connection) => {
    if (await isMirror(options.gitDir)) await renew(options, connection);
    else await make(options, connection);
  });
}

/**
 * Updates the mirror to match its origin: branches, tags and the default branch, including deleted ones. Returns the commits
 * to keep that it lacks, because the origin no longer has them or doesn't send them.
 */
export async function fetchMirror(options: MirrorOptions): Promise<string[]> {
  let lacking: string[] = [];
  await work(options, async (connection) => {
    await renew(options, connection);
    lacking = await keepAll(options, connection);
    await fetchWanted(options, connection);
  });
  return lacking;
}

/**
 * Records the commits' parents, with which git walks a history several times as fast, and combines packs when there are many,
 * which slows reads. Readers aren't affected: git looks again when a pack is gone.
 */
export async function maintainMirror(gitDir: string, signal?: AbortSignal): Promise<void> {
  await takeTurn(gitDir, async () => {
    await runGit(['pack-refs', '--all', '--prune'], { gitDir, signal });
    // A repository with missing objects has no such record.
    await runGit(['commit-graph', 'write', '--reachable', '--split'], { gitDir, signal }).catch(
      ignoreRefusal,
    );
    if ((await countPacks(gitDir)) <= MAX_PACKS) return;
    await runGit(['repack', '-d', '--geometric=2', '--quiet', '-n'], {
      gitDir,
      signal,
      timeoutMs: TIMEOUT_MS,
      configuration: { 'repack.writeBitmaps': 'false' },
    });
  });
}

async function work(options: MirrorOptions, use: (connection: Connection) => Promise<void>): Promise<void> {
  const { gitDir, remote, credential, knownHostsFile } = options;
  await takeTurn(gitDir, async () => {
    const folder = dirname(gitDir);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await sweepBeside(gitDir);
    await sweepInside(gitDir);
    options.onProgress?.(CONNECTING);
    try {
      await withConnection({ remote, credential, folder, knownHostsFile }, use);
    } catch (error) {
      // Discarded packs may be large.
      await sweepInside(gitDir);
      throw error;
    }
  });
}

async function isMirror(gitDir: string): Promise<boolean> {
  return await readFile(join(gitDir, 'HEAD')).then(
    () => true,
    () => false,
  );
}

async function make(options: MirrorOptions, connection: Connection): Promise<void> {
  const made = await cloneBeside(options, connection);
  const isWorkedIn = await hasWorkingTree(options.remote);
  const remote = isWorkedIn ? readRemoteHead(await listRemote(options, connection)) : null;
  await settleHead(made, { remote, isWorkedIn, isNew: true });
  await rm(options.gitDir, { recursive: true, force: true });
  await rename(made, options.gitDir);
}

/** A local origin is cloned with hard links: fast at any size, and it tolerates missing objects. */
async function cloneBeside(options: MirrorOptions, { url, options: reach }: Connection): Promise<string> {
  const folder = await mkdtemp(unfinishedPrefix(options.gitDir));
  const args = ['clone', '--bare', '--progress', '--template='];
  try {
    await transfer([...args, '--end-of-options', url, folder], options, { target: folder, options: reach });
    // The URL is stored elsewhere, and changes only there.
    await runGit(['config', '--remove-section', 'remote.origin'], { gitDir: folder });
    return folder;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function renew(options: MirrorOptions, connection: Connection): Promise<void> {
  const { gitDir } = options;
  const { url, options: reach } = connection;
  const stdout = await listRemote(options, connection);
  // Over HTTP, git mistakes almost any page for a repository without branches, and would empty the mirror.
  if (stdout.length === 0 && isHttp(options.remote) && (await hasBranches(gitDir)))
    throw new GitFailure('ls-remote', 'no_branches', 0, '');
  const head = readRemoteHead(stdout);
  if (await hasOtherFormat(gitDir, head)) return await make(options, connection);
  const args = [
    'fetch',
    '--prune',
    '--no-tags',
    '--progress',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
  ];
  try {
    const refspecs = [...REFSPECS, ...(options.otherRefs ?? []).map((ref) => `+${ref}:${ref}`)];
    await transfer([...args, '--end-of-options', url, ...refspecs], options, {
      target: gitDir,
      gitDir,
      options: reach,
    });
  } catch (error) {
    if (options.remote.kind !== 'local' || !(error instanceof GitFailure) || error.reason !== 'exit')
      throw error;
    // An origin with missing objects can't send new ones; copy its files instead.
    const clone = await cloneBeside(options, connection);
    await absorbClone(gitDir, clone);
    await rm(clone, { recursive: true, force: true });
  }
  await settleHead(gitDir, { remote: head, isWorkedIn: await hasWorkingTree(options.remote) });
}

async function listRemote(options: MirrorOptions, { url, options: reach }: Connection): Promise<Buffer> {
  const { firstAnswerTimeoutMs: timeoutMs = FIRST_ANSWER_TIMEOUT_MS, signal } = options;
  const listing = ['ls-remote', '--symref', '--end-of-options', url, 'HEAD', 'refs/heads/*', UPSTREAM_HEAD];
  const { stdout } = await runGit(listing, { ...reach, signal, timeoutMs });
  return stdout;
}

/** Whether it is a folder on this machine with files checked out. */
async function hasWorkingTree({ kind, url }: RemoteAddress): Promise<boolean> {
  if (kind !== 'local') return false;
  return stat(join(url, '.git')).then(
    () => true,
    () => false,
  );
}

/** Commits that no ref of the origin has are requested by their ids, which most servers allow. */
async function keepAll(options: MirrorOptions, { url, options: reach }: Connection): Promise<string[]> {
  const { gitDir, keep = [], signal } = options;
  const lacking = await keepCommits(gitDir, keep, signal);
  const args = [
    'fetch',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    '--end-of-options',
    url,
  ];
  for (let at = 0; at < lacking.length; at += KEEP_AT_ONCE) {
    const refspecs = lacking.slice(at, at + KEEP_AT_ONCE).map((commit) => `+${commit}:${keptRef(commit)}`);
    try {
      await transfer([...args, ...refspecs], options, { target: gitDir, gitDir, options: reach });
    } catch (error) {
      if (!(error instanceof GitFailure) || error.reason !== 'exit') throw error;
      // One that the server lacks fails them all.
      if (refspecs.length > 1) await keepEach(options, reach, args, refspecs);
    }
  }
  return lacking.length === 0 ? [] : await keepCommits(gitDir, lacking, signal);
}

async function keepEach(
  options: MirrorOptions,
  reach: Connection['options'],
  args: string[],
  refspecs: string[],
): Promise<void> {
  const { gitDir } = options;
  for (const refspec of refspecs) {
    await transfer([...args, refspec], options, { target: gitDir, gitDir, options: reach }).catch(
      ignoreRefusal,
    );
  }
}

/** One at a time: one that the server lacks, or doesn't send, fails the others. */
async function fetchWanted(options: MirrorOptions, { url, options: reach }: Connection): Promise<void> {
  const { gitDir, signal, wanted = [] } = options;
  for (const commit of wanted) {
    if (await hasCommit(gitDir, commit, signal)) continue;
    const args = ['fetch', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--end-of-options'];
    await transfer([...args, url, commit], options, { target: gitDir, gitDir, options: reach }).catch(
      ignoreRefusal,
    );
  }
}

function hasCommit(gitDir: string, commit: string, signal?: AbortSignal): Promise<boolean> {
  return runGit(['cat-file', '-e', `${commit}^{commit}`], { gitDir, signal }).then(
    () => true,
    (error: unknown) => {
      ignoreRefusal(error);
      return false;
    },
  );
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof GitFailure) || error.reason !== 'exit') throw error;
}

function isHttp({ kind }: RemoteAddress): boolean {
  return kind === 'https' || kind === 'http';
}

async function hasBranches(gitDir: string): Promise<boolean> {
  const { stdout } = await runGit(['for-each-ref', '--count=1', 'refs/heads/'], { gitDir });
  return stdout.length > 0;
}

/** An empty origin reveals its object format only with its first commit. */
async function hasOtherFormat(gitDir: string, { commit }: RemoteHead): Promise<boolean> {
  if (commit === null) return false;
  const { stdout } = await runGit(['rev-parse', '--show-object-format'], { gitDir });
  return stdout.toString().trim() !== (commit.length === 64 ? 'sha256' : 'sha1');
}

/** Printed by git before the server has sent anything. */
const ANNOUNCEMENT = /^Cloning into bare repository .*\.\.\.\s*$/s;

/** Runs a clone or fetch that writes to `target`; reports progress, and stops it when it stalls or receives too much. */
async function transfer(
  args: string[],
  { signal, onProgress, ...limits }: MirrorOptions,
  { target, gitDir, options: reach }: { target: string; gitDir?: string; options: Connection['options'] },
): Promise<void> {
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = limits;
  const { firstAnswerTimeoutMs = FIRST_ANSWER_TIMEOUT_MS, quietTimeoutMs = QUIET_TIMEOUT_MS } = limits;
  const watch = watchTransfer(target, { firstAnswerTimeoutMs, quietTimeoutMs, maxBytes });
  const read = createProgressReader((progress) => onProgress?.(progress));
  const onStderr = (chunk: Buffer) => {
    if (!ANNOUNCEMENT.test(chunk.toString('latin1'))) watch.heard();
    read(chunk);
  };
  const stop = signal ? AbortSignal.any([signal, watch.signal]) : watch.signal;
  try {
    await runGit(args, { ...reach, gitDir, signal: stop, timeoutMs, onStderr });
  } catch (error) {
    const reason = watch.reason();
    throw reason === null ? error : new GitFailure(args[0]!, reason, null, '');
  } finally {
    watch.end();
  }
}
