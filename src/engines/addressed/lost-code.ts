/** How much of the commented lines is gone after a change, and whether the same was done elsewhere in the file. */
import { countAll, isName, surplus, tokensOf } from './code-words.ts';
import type { Change, CodeComparison } from './compare-code.ts';
import { type WordChanges, wordChanges } from './word-changes.ts';

export interface LostCode {
  /** The share of their names, numbers and signs that went; 0 to 1. */
  share: number;
  /** Whether all the lines were taken out, and nothing was put in their place. */
  isDeleted: boolean;
  /** Whether little more than a name changed, and the same name elsewhere too. */
  isRenamedThroughout: boolean;
  /** Whether lines of the file moved or were reformatted; then only what went from the whole file counts. */
  isRearranged: boolean;
}

export function findLost(code: CodeComparison, touching: readonly Change[], file: WordChanges): LostCode {
  const region = code.before.slice(code.start, code.end).filter((line) => line.trim() !== '');
  const isWholeFile = code.end - code.start === code.before.length;
  const gone = isWholeFile ? [] : touching.flatMap((change) => goneLines(code, change));
  const added = touching.flatMap((change) => change.added);
  // The lines put in their place are their new form.
  const left = added.length > 0 ? gone : withoutContinued(gone, code.changes);
  const isRearranged = code.changes.some((change) => hasMoved(code, change));
  const all = countAll(region.flatMap(tokensOf));
  const lost = surplus(countAll(left.flatMap(tokensOf)), countAll(added.flatMap(tokensOf)));
  if (isRearranged) {
    for (const [token, count] of lost) lost.set(token, Math.min(count, file.lost.get(token) ?? 0));
  }
  return {
    share: all.size === 0 ? 0 : sum(lost) / sum(all),
    isDeleted: region.length > 0 && left.length === region.length && added.length === 0,
    isRenamedThroughout: isRenamedThroughout(code, touching),
    isRearranged,
  };
}

/** Whether lines of a change moved or were only reformatted, which makes it hard to say what became of the others. */
function hasMoved({ before }: CodeComparison, change: Change): boolean {
  if (change.kind !== 'edit') return true;
  const lines = before.slice(change.beforeStart, change.beforeEnd).filter((line) => line.trim() !== '');
  return change.removed.length < lines.length;
}

/** The commented lines that a change takes out, without those that moved. */
function goneLines({ before, start, end }: CodeComparison, change: Change): string[] {
  const removed = countAll(change.removed);
  return before.slice(Math.max(start, change.beforeStart), Math.min(end, change.beforeEnd)).filter((line) => {
    const left = removed.get(line) ?? 0;
    removed.set(line, left - 1);
    return left > 0;
  });
}

/** This share of a line's tokens in an added line means that it moved and was edited. */
const MIN_CONTINUED = 0.6;
const MAX_COMPARED = 2_000;

/** The lines that no change puts back, whole or edited. */
export function withoutContinued(lines: readonly string[], changes: readonly Change[]): string[] {
  if (lines.length === 0) return [];
  const added = changes.flatMap((change) => change.added).slice(0, MAX_COMPARED);
  const counts = added.map((line) => countAll(tokensOf(line)));
  return lines.filter((line, index) => {
    if (index >= MAX_COMPARED / 50) return true;
    const tokens = countAll(tokensOf(line));
    return !counts.some((other) => shareOf(tokens, other) >= MIN_CONTINUED);
  });
}

export function shareOf(wanted: Map<string, number>, made: Map<string, number>): number {
  let [met, all] = [0, 0];
  for (const [token, count] of wanted) {
    all += count;
    met += Math.min(count, made.get(token) ?? 0);
  }
  return all === 0 ? 1 : met / all;
}

const MAX_RENAMED = 3;
const ELSEWHERE = 2;

function isRenamedThroughout({ changes }: CodeComparison, touching: readonly Change[]): boolean {
  const here = wordChanges(touching);
  const [lost, gained] = [here.lost, here.gained].map((words) => [...words.keys()].filter(isName));
  if (lost!.length > MAX_RENAMED || gained!.length > MAX_RENAMED) return false;
  const others = wordChanges(changes.filter(({ kind, distance }) => kind === 'edit' && distance > ELSEWHERE));
  return lost!.some((name) => others.lost.has(name)) && gained!.some((name) => others.gained.has(name));
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
