/** What a scan for matching lines is given, and what it gives. */
import type { RepositoryReader } from './repository-reader.ts';
import type { ShardSet } from './shard-set.ts';
import type { Target } from './targets.ts';

/** A matching line: where it begins in its text, and where in it the first match does. */
export interface LineMatch {
  lineStart: number;
  column: number;
}

export interface ScanRequest {
  reader: RepositoryReader;
  set: ShardSet;
  pattern: string;
  /** The pattern as plain bytes, when it is nothing else. */
  literal: Buffer | null;
  targets: Target[];
  /** When the first texts hold so many lines, the others need not be looked at. */
  enoughLines: number;
  signal: AbortSignal;
}

export interface ScanResult {
  /** For each target: its lines; undefined when it was not looked at. */
  places: (LineMatch[] | undefined)[];
  /** Targets that have more lines than were found: the search was ended in them. */
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
