/** How two commits are related: their merge base, whether one contains the other, and the commits between them. */
import type {
  CommitAddresses,
  CommitAuthor,
  HistoryCommit,
  OwnCommit,
} from '../../../platform/core/ports/code-differences.ts';
import { GitFailure } from '../run/git-failure.ts';
import { readOutput, splitOutput } from '../run/read-output.ts';
import { runGit } from '../run/run-git.ts';

/** Full commit ids. */
export interface CommitPair {
  gitDir: string;
  from: string;
  to: string;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

const MAX_FIELD_BYTES = 64 * 1024;
const FIELDS = ['%H', '%P', '%an', '%at', '%s', '%b'];
/** The end of the year 9999, the last that timestamps can have. */
const MAX_SECONDS = 253_402_300_799;

/** Null when they have no common ancestor. */
export async function findMergeBase({ gitDir, from, to, ...limits }: CommitPair): Promise<string | null> {
  const output = await runYesNo(['merge-base', '--end-of-options', from, to], { gitDir, ...limits });
  return output === null ? null : output.trim();
}

/** Whether `to` contains `from`; a commit contains itself. */
export async function isAncestor({ gitDir, from, to, ...limits }: CommitPair): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', '--end-of-options', from, to];
  return (await runYesNo(args, { gitDir, ...limits })) !== null;
}

/** Null when git exits with 1, which it does for "no". */
async function runYesNo(args: string[], options: Parameters<typeof runGit>[1]): Promise<string | null> {
  try {
    return (await runGit(args, options)).stdout.toString('latin1');
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'exit' && error.exitCode === 1) return null;
    throw error;
  }
}

/** The commits that `to` contains and `from` doesn't: the newest `limit`, newest first, and how many there are. */
export async function listCommits({
  from,
  to,
  limit,
  ...options
}: CommitPair & { limit: number }): Promise<{ commits: HistoryCommit[]; total: number }> {
  const range = ['--end-of-options', to, `^${from}`];
  const commits = await readCommits([`--max-count=${limit}`], [to, `^${from}`], options);
  if (commits.length < limit) return { commits, total: commits.length };
  const { stdout } = await runGit(['rev-list', '--count', ...range], options);
  return { commits, total: Number(stdout.toString('latin1')) };
}

/**
 * The newest commit that `to` contains and `from` doesn't, and that one of these addresses wrote, committed or co-wrote (`Co-authored-by`). The
 * addresses are those in the commits: a file of the repository can't map them to others.
 */
export async function findCommitBy({
  from,
  to,
  addresses,
  ...options
}: CommitPair & { addresses: CommitAddresses }): Promise<OwnCommit | null> {
  const isTheirs = (address: string) => {
    const folded = address.toLowerCase();
    return (
      addresses.exact.includes(folded) ||
      addresses.affixes.some(([start, end]) => folded.startsWith(start) && folded.endsWith(end))
    );
  };
  const args = [
    'log',
    '-z',
    '--no-show-signature',
    '--format=%H%x00%ae%x00%ce%x00%(trailers:key=Co-authored-by,valueonly,unfold)',
    '--end-of-options',
    to,
    `^${from}`,
  ];
  let fields: string[] = [];
  for await (const field of splitOutput(readOutput(args, options), 0, MAX_FIELD_BYTES)) {
    fields.push(field.toString('utf8'));
    if (fields.length < 4) continue;
    const [commit, author, committer, coAuthors] = fields as [string, string, string, string];
    if (isTheirs(author)) return { commit, how: 'wrote' };
    if (isTheirs(committer)) return { commit, how: 'committed' };
    if (coAuthors.matchAll(/<([^<>\n]*)>/g).some(([, address]) => isTheirs(address!.trim())))
      return { commit, how: 'co-wrote' };
    fields = [];
  }
  return null;
}

/** Whether a commit that `to` contains and `from` doesn't is a merge commit. */
export async function hasMerges({ from, to, ...options }: CommitPair): Promise<boolean> {
  const args = ['rev-list', '--merges', '--max-count=1', '--end-of-options', to, `^${from}`];
  const { stdout } = await runGit(args, options);
  return stdout.length > 0;
}

/** Who wrote or co-wrote the commits that `to` contains and `from` doesn't, or also committed them: the first `limit`, oldest first, each address once. */
export async function listAuthors({
  from,
  to,
  limit,
  committers = false,
  ...options
}: CommitPair & { limit: number; committers?: boolean | undefined }): Promise<CommitAuthor[]> {
  const args = [
    'log',
    '-z',
    '--reverse',
    '--no-show-signature',
    '--format=%an%x00%ae%x00%cn%x00%ce%x00%(trailers:key=Co-authored-by,valueonly,unfold)',
    '--end-of-options',
    to,
    `^${from}`,
  ];
  const authors = new Map<string, CommitAuthor>();
  const add = (name: string, email: string) => {
    const key = email.toLowerCase();
    if (email !== '' && authors.size < limit && !authors.has(key)) authors.set(key, { name, email });
  };
  let fields: string[] = [];
  for await (const field of splitOutput(readOutput(args, options), 0, MAX_FIELD_BYTES)) {
    fields.push(field.toString('utf8'));
    if (fields.length < 5) continue;
    const [name, email, committer, address, coAuthors] = fields as [string, string, string, string, string];
    add(name.trim(), email.trim());
    if (committers) add(committer.trim(), address.trim());
    for (const [, coName, coEmail] of coAuthors.matchAll(/^([^<>\n]*)<([^<>\n]*)>/gm))
      add(coName!.trim(), coEmail!.trim());
    fields = [];
  }
  return [...authors.values()];
}

/** The commits that `git log` lists, in its order. */
export async function readCommits(
  options: string[],
  revisions: string[],
  reading: Parameters<typeof readOutput>[1],
): Promise<HistoryCommit[]> {
  const args = [
    'log',
    '-z',
    '--no-show-signature',
    ...options,
    `--format=${FIELDS.join('%x00')}`,
    '--end-of-options',
    ...revisions,
  ];
  const commits: HistoryCommit[] = [];
  let fields: string[] = [];
  for await (const field of splitOutput(readOutput(args, reading), 0, MAX_FIELD_BYTES)) {
    fields.push(field.toString('utf8'));
    if (fields.length < FIELDS.length) continue;
    const [commit, parents, authorName, seconds, subject, body] = fields as [string, ...string[]];
    commits.push({
      commit,
      parents: parents === '' ? [] : parents!.split(' '),
      authorName: authorName!,
      authoredAt: readTime(seconds!),
      subject: subject!,
      body: body!.trimEnd(),
    });
    fields = [];
  }
  return commits;
}

/** Times in commits are whatever their author's program wrote. */
export function readTime(seconds: string): number {
  const number = Number(seconds);
  return Math.abs(number) <= MAX_SECONDS ? number * 1000 : 0;
}
