/** Selecting lines by their numbers: click, drag or Shift with the mouse; arrows, Shift and Enter with the keyboard. */
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef } from 'react';
import { lineNumber } from './diff-lines.ts';
import type { Side } from './diff-types.ts';
import { type LinePlace, type LineSelection, selectTo } from './line-selection.ts';
import type { Rows } from './use-rows.ts';

export interface LineKeys {
  onMouseDown(event: MouseEvent): void;
  onPointerOver(event: PointerEvent): void;
  onPointerUp(): void;
  onClick(event: MouseEvent): void;
  onKeyDown(event: KeyboardEvent): void;
}

interface LineKeysOptions {
  rows: Rows;
  selection: LineSelection | undefined;
  onSelect(selection: LineSelection): void;
  /** Undefined if this person can't comment. */
  onComment: ((selection: LineSelection) => void) | undefined;
  /** Scrolls a row into view and focuses the number of a side. */
  focusRow(index: number, side: Side): void;
}

/** Handlers for the element that contains all rows. */
export function useLineKeys({ focusRow, onComment, onSelect, rows, selection }: LineKeysOptions): LineKeys {
  const anchor = useRef<LinePlace>(undefined);
  const isPressed = useRef(false);
  const dragged = useRef<LineSelection>(undefined);
  const select = (place: LinePlace, extend: boolean) => {
    if (!extend || !anchor.current) anchor.current = place;
    const selected = selectTo(anchor.current, place);
    onSelect(selected);
    return selected;
  };
  return {
    onMouseDown(event) {
      const found = numberAt(event.target, rows);
      if (!found || event.button !== 0) return;
      // Otherwise dragging or Shift would select the text in between.
      event.preventDefault();
      select(found.place, event.shiftKey);
      isPressed.current = true;
    },
    onPointerOver(event) {
      if (!isPressed.current || event.buttons !== 1 || !anchor.current) return;
      const found = placeOfRow(event.target, rows, anchor.current.side);
      if (!found || found.path !== anchor.current.path) return;
      dragged.current = selectTo(anchor.current, found);
      onSelect(dragged.current);
    },
    onPointerUp() {
      const over = dragged.current;
      isPressed.current = false;
      dragged.current = undefined;
      if (over && over.first < over.last) onComment?.(over);
    },
    onClick(event) {
      const found = numberAt(event.target, rows);
      // A drag ends with a click only where it began.
      if (found) onComment?.(select(found.place, event.shiftKey));
    },
    onKeyDown(event) {
      const found = numberAt(event.target, rows);
      if (!found) return;
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        const { path, side, line } = found.place;
        const isInside =
          selection?.path === path &&
          selection.side === side &&
          selection.first <= line &&
          line <= selection.last;
        onComment?.(isInside ? selection : select(found.place, false));
        return;
      }
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      const next = by && nextLine(rows, found.index, found.place.side, by);
      if (!next) return;
      event.preventDefault();
      if (event.shiftKey) {
        if (anchor.current === undefined || anchor.current.side !== found.place.side)
          anchor.current = found.place;
        select(next.place, true);
      } else select(next.place, false);
      focusRow(next.index, found.place.side);
    },
  };
}

interface FoundLine {
  index: number;
  place: LinePlace;
}

function numberAt(target: EventTarget, rows: Rows): FoundLine | undefined {
  const number = target instanceof Element ? target.closest<HTMLElement>('.number[data-number]') : null;
  const index = Number(number?.closest<HTMLElement>('[data-index]')?.dataset.index ?? Number.NaN);
  if (!number || Number.isNaN(index)) return undefined;
  const side = number.dataset.side as Side;
  return { index, place: { path: pathAt(rows, index), side, line: Number(number.dataset.number) } };
}

/** While dragging the pointer may be anywhere in the row. */
function placeOfRow(target: EventTarget, rows: Rows, side: Side): LinePlace | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  if (!row) return undefined;
  const index = Number(row.dataset.index);
  const line = lineAt(rows, index, side);
  return line === undefined ? undefined : { path: pathAt(rows, index), side, line };
}

/** The next line of the same side and file. */
function nextLine(rows: Rows, from: number, side: Side, by: number): FoundLine | undefined {
  const { file } = rows.all[from]!;
  for (let index = from + by; rows.all[index]?.file === file; index += by) {
    const line = lineAt(rows, index, side);
    if (line !== undefined) return { index, place: { path: pathAt(rows, index), side, line } };
  }
  return undefined;
}

function lineAt(rows: Rows, index: number, side: Side): number | undefined {
  const row = rows.all[index]?.row;
  if (row?.type !== 'line') return undefined;
  const line = side === 'old' ? row.left : row.right;
  return line && lineNumber(line, side);
}

function pathAt(rows: Rows, index: number): string {
  return rows.files[rows.all[index]!.file]!.state.file.path;
}
