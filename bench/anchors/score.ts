/**
 * `node bench/anchors/score.ts GIT_DIRECTORY…`: follows the quotes in sample.jsonl, which were judged by hand, and prints
 * how many are correct. The texts are read from clones of the repositories; part of each path is `owner+name`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compareTexts, portAnchor } from '../../src/engines/anchors/index.ts';

interface Judged {
  id: string;
  sample: string;
  repository: string;
  path: string;
  before: string;
  after: string;
  start: number;
  end: number;
  /** The correct result; two results where the case is ambiguous. */
  results: string[];
  expected: [number, number] | null;
}

/** An edited range is correct when it overlaps the judged one by this share of their union. */
const MIN_OVERLAP = 0.6;

const directories = process.argv.slice(2).map((directory) => resolve(directory));
const lines = readFileSync(join(import.meta.dirname, 'sample.jsonl'), 'utf8')
  .trim()
  .split('\n');
const scores = new Map<string, { right: number; all: number }>();
for (const judged of lines.map((line) => JSON.parse(line) as Judged)) {
  const directory = directoryOf(judged.repository);
  if (!directory) continue;
  const [before, after] = [judged.before, judged.after].map((commit) => show(directory, commit, judged.path));
  const placement = portAnchor(judged, compareTexts(before!, after!));
  const score = scores.get(judged.sample) ?? { right: 0, all: 0 };
  scores.set(judged.sample, score);
  score.all += 1;
  if (isRight(judged, placement)) score.right += 1;
  else
    process.stdout.write(
      `${judged.sample} ${judged.id}: ${JSON.stringify(placement)}, not ${judged.results}\n`,
    );
}
for (const [sample, { right, all }] of scores) {
  process.stdout.write(`${sample}: ${right} of ${all}, ${(right / all).toFixed(3)}\n`);
}

function isRight({ expected, results }: Judged, placement: ReturnType<typeof portAnchor>): boolean {
  if (!results.includes(placement.result)) return false;
  if (placement.result === 'orphaned' || !expected) return placement.result === 'orphaned';
  const [start, end] = expected;
  if (placement.result !== 'edited') return placement.start === start;
  const common = Math.min(end, placement.end) - Math.max(start, placement.start);
  return common / (Math.max(end, placement.end) - Math.min(start, placement.start)) >= MIN_OVERLAP;
}

function directoryOf(repository: string): string | undefined {
  const name = repository.replace('/', '+');
  return directories.find((directory) => directory.split('/').some((part) => part === name));
}

function show(directory: string, commit: string, path: string): string {
  const words = ['--git-dir', directory, 'show', `${commit}:${path}`];
  return execFileSync('git', words, { encoding: 'utf8', maxBuffer: 1 << 30 });
}
