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
  signal: AbortSignal;
}

export interface ScanResult {
  /** The lines of each target; undefined when it wasn't scanned. */
  places: (LineMatch[] | undefined)[];
  /** Targets in which the scan was stopped, which may have more lines. */
  cutOff: Set<number>;
  /** Targets that could not be read, or are too large. */
  missing: Set<number>;
  tooLarge: Set<number>;
}

export function emptyResult(count: number): ScanResult {
  return {
    places: new Array(count).fill(undefined),
    cutOff: new Set(),
    missing: new Set(),
    tooLarge: new Set(),
  };
}
