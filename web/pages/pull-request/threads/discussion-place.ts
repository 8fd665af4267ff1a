/** Where the lines of a discussion are at a commit, as far as that is known here. Pure. */
import type { Discussion, Position } from '../../../parts/pull-request/threads/discussion-data.ts';

export interface NamedLines {
  file: string;
  /** 0 for the whole file. */
  startLine: number;
  endLine: number;
}

/** A discussion, or a comment that will start one. */
export type Placeable = Pick<
  Discussion,
  'id' | 'file' | 'side' | 'startLine' | 'endLine' | 'commit' | 'position' | 'seen'
>;

/**
 * At a commit; default: the newest head. After a push, and until the place at the new head is known, the last known one.
 * Undefined if nothing is known about that commit.
 */
export function positionAt(discussion: Placeable, commit?: string): Position | undefined {
  const { commit: own, endLine, file, position, seen = [], startLine } = discussion;
  const commented = { commit: own ?? '', outcome: 'exact' as const, file, startLine, endLine };
  const known = [commented, ...seen, ...(position ? [position] : [])];
  return (
    known.findLast((each) => each.commit === commit) ??
    (commit === undefined || position === null ? known.at(-1) : undefined)
  );
}

/** The lines that a card names, in its header and beside its code: where the same code is, else where it was commented on. */
export function namedLines(discussion: Placeable, commit?: string): NamedLines {
  const position = positionAt(discussion, commit);
  return position?.outcome === 'exact' || position?.outcome === 'moved' ? position : discussion;
}
