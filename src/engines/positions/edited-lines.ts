/** Finds what lines became within a hunk that replaced them, by the words that both sides share. */
import type { ChangedLines } from '../../platform/core/ports/code-differences.ts';
import { diffSequences, internTokens, isWord, splitWords } from '../text/index.ts';

/** A line became the one that has at least this share of its words. */
const LEAST_SHARE = 0.34;
/** Lines without a counterpart became what stands in their place, unless that is this much more. */
const MORE_LINES = 3;
/** Larger hunks are not compared word by word. */
const MAX_CHARACTERS = 400_000;

interface Range {
  start: number;
  end: number;
}

export function createEditedLines() {
  const counterparts = new Map<ChangedLines, Int32Array>();

  /** For some of the hunk's removed lines, counted from 0: their range at the new commit; null when nothing is left. */
  function find(hunk: ChangedLines, { end, start }: Range): Range | null {
    if (hunk.newLines === 0) return null;
    let matches = counterparts.get(hunk);
    if (!matches) {
      matches = matchLines(hunk);
      counterparts.set(hunk, matches);
    }
    let [first, last] = [start, end];
    while (first <= end && matches[first] === -1) first += 1;
    while (last >= start && matches[last] === -1) last -= 1;
    const [before, after] = [neighbor(matches, start, -1) ?? -1, neighbor(matches, end, 1) ?? hunk.newLines];
    if (first > last) {
      if (after - before - 1 > end - start + 1 + MORE_LINES) return null;
      return rangeIn(hunk, before + 1, after - 1);
    }
    let [from, to] = [matches[first]!, matches[first]!];
    for (const line of matches.subarray(first, last + 1)) {
      if (line === -1) continue;
      from = Math.min(from, line);
      to = Math.max(to, line);
    }
    return rangeIn(
      hunk,
      from - edge(first - start, from - before - 1),
      to + edge(end - last, after - to - 1),
    );
  }

  return { find };
}

/** The counterpart of the nearest other line that has one. */
function neighbor(matches: Int32Array, from: number, step: 1 | -1): number | undefined {
  for (let line = from + step; line >= 0 && line < matches.length; line += step)
    if (matches[line] !== -1) return matches[line]!;
  return undefined;
}

/** Lines at an edge without a counterpart became what stands there instead, unless that is much more. */
function edge(lines: number, room: number): number {
  if (lines === 0) return 0;
  return room <= lines + MORE_LINES ? room : lines;
}

function rangeIn({ newStart }: ChangedLines, from: number, to: number): Range | null {
  return from > to ? null : { start: newStart + from, end: newStart + to };
}

/** For each removed line, the added line that has most of its words; -1 when there is none. */
function matchLines({ added, oldLines, removed }: ChangedLines): Int32Array {
  const matches = new Int32Array(oldLines).fill(-1);
  const characters = [...removed, ...added].reduce((sum, line) => sum + line.length, 0);
  if (characters > MAX_CHARACTERS) return matches;
  const [before, after] = [wordsOf(removed), wordsOf(added)];
  const [oldWords, newWords] = internTokens(before.words, after.words);
  /** For the old line at hand: how many of its words each new line has. */
  let votes = new Map<number, number>();
  let [left, right] = [0, 0];
  const finish = (line: number) => {
    let [best, count] = [-1, 0];
    for (const [candidate, shared] of votes) if (shared > count) [best, count] = [candidate, shared];
    if (count >= LEAST_SHARE * before.counts[line]!) matches[line] = best;
    votes = new Map();
  };
  const end = { beforeStart: before.words.length, beforeEnd: -1, afterStart: 0, afterEnd: -1 };
  let line = -1;
  for (const hunk of [...diffSequences(oldWords!, newWords!), end]) {
    for (; left < hunk.beforeStart; left += 1, right += 1) {
      const here = before.lines[left]!;
      if (here !== line && line !== -1) finish(line);
      line = here;
      const there = after.lines[right]!;
      votes.set(there, (votes.get(there) ?? 0) + 1);
    }
    if (hunk.beforeEnd > left) left = hunk.beforeEnd;
    if (hunk.afterEnd > right) right = hunk.afterEnd;
  }
  if (line !== -1) finish(line);
  return matches;
}

function wordsOf(lines: string[]) {
  const words: string[] = [];
  const lineOf: number[] = [];
  const counts = lines.map((line, index) => {
    const found = splitWords(line).filter(isWord);
    for (const word of found) {
      words.push(word);
      lineOf.push(index);
    }
    return found.length;
  });
  return { words, lines: lineOf, counts };
}
