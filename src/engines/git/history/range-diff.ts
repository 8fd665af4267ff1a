/** Compares two versions of a series of commits, such as before and after a rebase: which commit became which, and how its change differs. */
import type { PairedCommit, RangeDiff } from '../../../platform/core/ports/code-differences.ts';
import { type ReadOptions, readOutput, splitOutput } from '../run/read-output.ts';
import { DIFF_CONFIGURATION } from './diff-options.ts';
import type { CommitPair } from './history.ts';

/** git compares each commit with each other one, line by line, and keeps all patches in memory. */
export const RANGE_DIFF_LIMITS = {
  /** On each side, without merges, which git leaves out. */
  commits: 100,
  /** Added and deleted lines on each side. */
  changedLines: 50_000,
  /** The result has at most these. */
  lines: 5000,
} as const;

const CONFIGURATION = {
  ...DIFF_CONFIGURATION,
  // Larger files count as binary.
  'core.bigFileThreshold': '1m',
  // Whole ids.
  'core.abbrev': 'no',
};
const MAX_LINE_BYTES = 2000;
/** A pair of commits; lines of the difference between their patches begin with four spaces. */
const PAIR = /^ {0,3}(?:-|\d+): {2}([0-9a-f]+|-+) ([=!<>]) {1,4}(?:-|\d+): {2}([0-9a-f]+|-+)(?: (.*))?$/s;
const INDENT = 4;
const CHANGES: Record<string, PairedCommit['change']> = {
  '=': 'same',
  '!': 'changed',
  '<': 'removed',
  '>': 'added',
};

/** From the commits of `from` that `fromBase` lacks to those of `to` that `toBase` lacks. */
export async function rangeDiff({
  from,
  fromBase,
  to,
  toBase,
  ...options
}: CommitPair & { fromBase: string; toBase: string }): Promise<RangeDiff> {
  const reading = { ...options, configuration: CONFIGURATION };
  const sides = await Promise.all([isSmall(fromBase, from, reading), isSmall(toBase, to, reading)]);
  if (sides.includes(false)) return { kind: 'too_large' };
  const output = readOutput(
    ['range-diff', '--no-color', '--no-notes', `${fromBase}..${from}`, `${toBase}..${to}`],
    reading,
  );
  const commits: PairedCommit[] = [];
  let room: number = RANGE_DIFF_LIMITS.lines;
  for await (const bytes of splitOutput(output, 10, MAX_LINE_BYTES)) {
    const line = bytes.toString('utf8');
    const [, oldCommit, sign, newCommit, subject = ''] = PAIR.exec(line) ?? [];
    const last = commits.at(-1);
    if (sign !== undefined) {
      commits.push({
        change: CHANGES[sign]!,
        oldCommit: idOf(oldCommit!),
        newCommit: idOf(newCommit!),
        subject,
        lines: [],
        truncated: false,
      });
    } else if (last && room > 0) {
      room -= 1;
      last.lines.push(line.slice(INDENT));
    } else if (last) last.truncated = true;
  }
  return { kind: 'compared', commits };
}

function idOf(text: string): string | null {
  return text.startsWith('-') ? null : text;
}

async function isSmall(base: string, head: string, reading: ReadOptions): Promise<boolean> {
  const { changedLines, commits } = RANGE_DIFF_LIMITS;
  const log = [
    'log',
    '--no-merges',
    '--no-show-signature',
    '--no-renames',
    '--numstat',
    '--format=commit %H',
  ];
  const args = [...log, `--max-count=${commits + 1}`, '--end-of-options', head, `^${base}`];
  let [found, lines] = [0, 0];
  for await (const bytes of splitOutput(readOutput(args, reading), 10, MAX_LINE_BYTES)) {
    const line = bytes.toString('latin1');
    if (line.startsWith('commit ')) found += 1;
    const [, added, deleted] = /^(\d+)\t(\d+)\t/.exec(line) ?? [];
    lines += Number(added ?? 0) + Number(deleted ?? 0);
    if (found > commits || lines > changedLines) return false;
  }
  return true;
}
