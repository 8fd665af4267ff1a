/** Selected lines of one side of a file. */
import type { Side } from './diff-types.ts';

export interface LineSelection {
  path: string;
  side: Side;
  first: number;
  last: number;
}

/** The line that a number of the list belongs to. */
export interface LinePlace {
  path: string;
  side: Side;
  line: number;
}

/** From one line to another, in either order; a line elsewhere starts a new selection. */
export function selectTo(from: LinePlace | undefined, to: LinePlace): LineSelection {
  const { line, path, side } = to;
  const start = from && from.path === path && from.side === side ? from.line : line;
  return { path, side, first: Math.min(start, line), last: Math.max(start, line) };
}

export function isSelected(
  selection: LineSelection | undefined,
  path: string,
  side: Side,
  line: number,
): boolean {
  return (
    selection !== undefined &&
    selection.path === path &&
    selection.side === side &&
    selection.first <= line &&
    line <= selection.last
  );
}
