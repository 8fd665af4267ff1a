/**
 * `node bench/anchors/make-corpus.ts SEED CASES GIT_DIRECTORY… > cases.jsonl`: picks random sentences from earlier
 * revisions of Markdown files, each with a later revision and near or within a change, as anchors to follow.
 */
import { execFileSync } from 'node:child_process';
import { basename, dirname, resolve } from 'node:path';
import { anchorAt } from '../../src/engines/anchors/index.ts';
import { diffSequences, internTokens } from '../../src/engines/text/index.ts';
import { randomNumbers } from './versions.ts';

const FARTHEST_REVISION = 20;
const MIN_REVISIONS = 5;
const MAX_TEXT_LENGTH = 300_000;

interface History {
  directory: string;
  path: string;
  /** Newest first. */
  commits: string[];
}

const [seed, cases, ...directories] = process.argv.slice(2);
if (!Number(seed) || !Number(cases) || directories.length === 0) {
  process.stderr.write('usage: node bench/anchors/make-corpus.ts SEED CASES GIT_DIRECTORY…\n');
  process.exit(2);
}
const random = randomNumbers(Number(seed));
const repositories = directories.map((directory) => readHistories(resolve(directory)));
for (let made = 0; made < Number(cases); ) {
  const line = makeCase(pick(pick(repositories)), made);
  if (line === undefined) continue;
  process.stdout.write(`${JSON.stringify(line)}\n`);
  made += 1;
}

function makeCase({ directory, path, commits }: History, number: number) {
  const distance = 1 + Math.floor(random() * Math.min(FARTHEST_REVISION, commits.length - 1));
  const later = Math.floor(random() * (commits.length - distance));
  const [beforeCommit, afterCommit] = [commits[later + distance]!, commits[later]!];
  const before = readRevision(directory, beforeCommit, path);
  const after = readRevision(directory, afterCommit, path);
  if (before === undefined || after === undefined || before === after) return undefined;
  const sentence = pickSentence(before, after);
  if (!sentence) return undefined;
  const source = { repository: nameOf(directory), path, beforeCommit, afterCommit, ...sentence };
  return { id: `${seed}-${number}`, ...anchorAt(sentence, before), before, after, source };
}

/** Half of the time a sentence whose own lines changed, otherwise one at most five lines from a change. */
function pickSentence(before: string, after: string) {
  const lines = before.split('\n');
  const [left, right] = internTokens(lines, after.split('\n'));
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1)! + line.length + 1);
  const around = random() < 0.5 ? 0 : 5;
  const changed = diffSequences(left!, right!).map(({ beforeStart, beforeEnd }) => ({
    start: starts[Math.max(0, beforeStart - around)]!,
    end: starts[Math.min(lines.length, beforeEnd + around)]!,
  }));
  const near = sentencesOf(before).filter(({ start, end }) =>
    changed.some((part) => part.start < end && part.end > start),
  );
  return near.length > 0 ? pick(near) : undefined;
}

/**
 * Deliberately different from how the service splits text, so that the sample isn't biased: paragraphs by blank lines,
 * items by their markers, sentences by a period and a capital letter, and sometimes a whole line.
 */
function sentencesOf(text: string): Array<{ start: number; end: number }> {
  const byLine = random() < 0.2;
  const cuts = byLine
    ? /\n/g
    : /\n[ \t]*\n|\n(?=[ \t]*(?:[-*+>#|]|\d+[.)]) ?)|(?<=[.!?]["')*_`]*)\s+(?=[A-Z`*_["'(])/g;
  const sentences: Array<{ start: number; end: number }> = [];
  let at = 0;
  for (const match of [...text.matchAll(cuts), { index: text.length, 0: '' }]) {
    const piece = text.slice(at, match.index);
    const start = at + piece.length - piece.trimStart().length;
    const end = start + piece.trim().length;
    if (end - start >= 15 && end - start <= 600 && /[a-z]{3}/i.test(piece)) sentences.push({ start, end });
    at = match.index + match[0].length;
  }
  return sentences;
}

function readHistories(directory: string): History[] {
  const log = git(directory, 'log', '--first-parent', '-m', '--format=%x00%H', '--name-only', '--', '*.md');
  const commits = new Map<string, string[]>();
  for (const entry of log.split('\0').slice(1)) {
    const [commit, ...paths] = entry.split('\n').filter((line) => line !== '');
    for (const path of paths) commits.set(path, [...(commits.get(path) ?? []), commit!]);
  }
  return [...commits]
    .filter(([, list]) => list.length >= MIN_REVISIONS)
    .map(([path, list]) => ({ directory, path, commits: list }));
}

function readRevision(directory: string, commit: string, path: string): string | undefined {
  try {
    const text = git(directory, 'show', `${commit}:${path}`);
    return text.length <= MAX_TEXT_LENGTH ? text : undefined;
  } catch {
    // The file didn't exist at that commit, or the snapshot lacks it.
    return undefined;
  }
}

function git(directory: string, ...words: string[]): string {
  return execFileSync('git', ['--git-dir', directory, '-c', 'core.quotePath=false', ...words], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Snapshots are in `owner+name/repo`; any other directory is named after itself. */
function nameOf(directory: string): string {
  const parent = basename(dirname(directory));
  return parent.includes('+') ? parent.replace('+', '/') : basename(directory).replace(/\.git$/, '');
}

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!;
}
