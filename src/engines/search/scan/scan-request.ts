/** The input and output of a scan for matching lines. */

import type { RepositoryReader } from '../commits/repository-reader.ts';
import type { LiteralText } from '../pattern/literal-text.ts';
import type { ShardSet } from '../shards/shard-set.ts';
import type { Target } from './targets.ts';

/** A matching line: its offset in the text, and the offset of the first match in the line. */
export interface LineMatch {
  lineStart: number;
  column: number;
  /** The match is a whole word; known only of literal text. */
  isWord?: boolean;
}

export interface ScanRequest {
  reader: RepositoryReader;
  set: ShardSet;
  pattern: string;
  /** The text that the pattern matches literally, if any. */
  literal: LiteralText | null;
  targets: Target[];
  /** Once the first texts have this many lines, the others don't need to be scanned. */
  enoughLines: number;
  /** Texts that don't count towards `enoughLines`: so many with a match, and in each other one what is beyond so many lines. */
  skipFiles?: number;
  linesPerFile?: number;
  signal: AbortSignal;
}

export interface ScanResult {
  /** The lines of each target; undefined when it wasn't scanned. */
  places: (LineMatch[] | undefined)[];
  /** The numbers of lines of targets that were only counted. */
  counts: Map<number, number>;
  /** Targets in which the scan was stopped, which may have more lines. */
  cutOff: Set<number>;
  /** Targets that could not be read, or are too large. */
  missing: Set<number>;
  tooLarge: Set<number>;
}

export function emptyResult(count: number): ScanResult {
  return {
    places: new Array(count).fill(undefined),
    counts: new Map(),
    cutOff: new Set(),
    missing: new Set(),
    tooLarge: new Set(),
  };
}

/** The first text that must still be scanned, because those before it don't have enough lines; -1 when they have. */
export function firstNeeded(
  { enoughLines, linesPerFile = Number.POSITIVE_INFINITY, skipFiles = 0 }: ScanRequest,
  { cutOff, places }: ScanResult,
): number {
  let [lines, skipped] = [0, 0];
  for (const [index, some] of places.entries()) {
    if (!some) return index;
    // The rest of it may have to be shown.
    if (cutOff.has(index) && some.length < Math.min(linesPerFile, enoughLines)) return index;
    if (some.length === 0) continue;
    if (skipped < skipFiles) skipped += 1;
    else lines += Math.min(some.length, linesPerFile);
    if (lines >= enoughLines) return -1;
  }
  return -1;
}
