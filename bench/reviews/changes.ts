/**
 * Pull requests to review, as branches of a corpus: merged ones of its history, each with its base branch as it was when the last
 * commit was made, or edits of its files if it has no merges.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Corpus, git, importCommits } from '../code-search/corpus.ts';

const ROUNDS = 5;
const AT_ONCE = 50;
const MAX_MERGES = 4000;
const MAX_FILES = 1000;
/** Larger files are not edited. */
const MAX_FILE_BYTES = 50_000;

export interface BranchPair {
  head: string;
  base: string;
}

export interface Changes {
  /** One for each round and one to warm up. */
  ofFive: BranchPair[];
  ofHundred: BranchPair[];
  /** Mixed sizes. */
  atOnce: BranchPair[];
}

export async function makeChanges(corpus: Corpus): Promise<Changes> {
  const merges = await listMerges(corpus);
  const changes =
    merges.length > 0
      ? {
          ofFive: await takeMerges(corpus, merges, ROUNDS + 1, (files) => files === 5),
          ofHundred: await takeMerges(corpus, merges, ROUNDS + 1, (files) => files >= 90 && files <= 110),
          atOnce: await takeMerges(corpus, merges, AT_ONCE, (files) => files <= MAX_FILES),
        }
      : {
          ofFive: await editFiles(corpus, ROUNDS + 1, () => 5),
          ofHundred: await editFiles(corpus, ROUNDS + 1, () => 100),
          atOnce: await editFiles(corpus, AT_ONCE, (number) => (number % 10 === 0 ? 100 : 5)),
        };
  if (changes.ofHundred.length <= ROUNDS || changes.ofFive.length <= ROUNDS)
    throw new Error(`The history of ${corpus.name} has too few pull requests of these sizes.`);
  return changes;
}

interface Merge {
  base: string;
  head: string;
  files: number;
}

/** Newest first. */
async function listMerges({ gitDir, head }: Corpus): Promise<Merge[]> {
  const options = ['--first-parent', '--merges', '--diff-merges=first-parent', '--no-renames', '--name-only'];
  const log = await git(gitDir, 'log', ...options, `--max-count=${MAX_MERGES}`, '--format=%x00%P', head);
  return log
    .split('\0')
    .slice(1)
    .map((entry) => {
      const [parents, ...files] = entry.split('\n').filter((line) => line !== '');
      const [base, merged] = parents!.split(' ');
      return { base: base!, head: merged!, files: files.length };
    });
}

async function takeMerges(
  { gitDir }: Corpus,
  merges: Merge[],
  count: number,
  isWanted: (files: number) => boolean,
): Promise<BranchPair[]> {
  const taken: BranchPair[] = [];
  for (const { base, files, head } of merges) {
    if (taken.length === count) break;
    if (!isWanted(files)) continue;
    const madeAt = await git(gitDir, 'show', '--no-patch', '--format=%ct', head);
    const then = await git(gitDir, 'rev-list', '-1', '--first-parent', `--before=${madeAt}`, base);
    if (await isComplete(gitDir, then, head)) taken.push(await addBranches(gitDir, head, then));
  }
  return taken;
}

/** Whether a partial clone has everything that the two sides changed. */
async function isComplete(gitDir: string, base: string, head: string): Promise<boolean> {
  try {
    const start = await git(gitDir, 'merge-base', base, head);
    for (const side of [base, head]) await git(gitDir, 'diff', '--numstat', start, side);
    return true;
  } catch {
    return false;
  }
}

let made = 0;

async function addBranches(gitDir: string, headCommit: string, baseCommit: string): Promise<BranchPair> {
  made += 1;
  const [head, base] = [`change-${made}`, `base-${made}`];
  await git(gitDir, 'update-ref', `refs/heads/${head}`, headCommit);
  await git(gitDir, 'update-ref', `refs/heads/${base}`, baseCommit);
  return { head, base };
}

async function editFiles(
  { checkout, earlier, gitDir, head }: Corpus,
  count: number,
  filesOf: (number: number) => number,
): Promise<BranchPair[]> {
  const from = earlier[0]!;
  const paths = (await git(gitDir, 'ls-tree', '-r', '-l', from))
    .split('\n')
    .map((line) => /^100\d+ blob \w+ +(\d+)\t([^"]*\.[jt]s)$/.exec(line))
    .flatMap((found) => (found && Number(found[1]) < MAX_FILE_BYTES ? [found[2]!] : []))
    .filter((path) => !/\/(dist|test)\/|\.(min|d)\./.test(path));
  const changes: BranchPair[] = [];
  for (let number = 0; number < count; number += 1) {
    const files = filesOf(number);
    const step = Math.floor(paths.length / files);
    const chosen = Array.from({ length: files }, (_, file) => paths[file * step + ((made * 7) % step)]!);
    const contents = new Map<string, Buffer>();
    for (const path of chosen)
      contents.set(path, Buffer.from(moveLines(readFileSync(join(checkout, path), 'utf8'), made)));
    const branch = 'edited';
    await importCommits(gitDir, { branch, from }, [contents]);
    changes.push(await addBranches(gitDir, await git(gitDir, 'rev-parse', branch), head));
  }
  return changes;
}

/** Takes some lines out, repeats others, and adds one. */
function moveLines(text: string, number: number): string {
  const lines = text.split('\n');
  const third = Math.floor(lines.length / 3);
  const removed = lines.splice(third, Math.min(6, third));
  lines.splice(third * 2, 0, ...lines.slice(0, Math.min(10, third)), `// change ${number}`);
  return [...lines, ...removed.slice(0, 2)].join('\n');
}
