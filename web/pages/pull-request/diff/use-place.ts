/**
 * Where the list is scrolled to. The target of a jump stays in place until the person scrolls, presses a key or clicks in the list;
 * from then on what is being read does, while rows above it arrive, open or get their height.
 */
import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { lineNumber } from './diff-lines.ts';
import type { Target } from './diff-list-props.ts';
import type { FileRow } from './file-rows.ts';
import { FILE_HEADER_HEIGHT, SPACE_ABOVE_FILE } from './row-heights.ts';
import type { Rows } from './use-rows.ts';

interface Place {
  key: string;
  header: string;
  /** How far the top of the window is below the row, and below the header of its file. */
  distance: number;
  headerDistance: number;
}

interface PlaceOptions {
  list: Virtualizer<Window, Element>;
  rows: Rows;
  margin: number;
  coveredTop: number;
  target: Target | undefined;
}

/** Returns how high the list has to be at least, so that the target can be in its place. */
export function usePlace(box: RefObject<HTMLElement | null>, options: PlaceOptions): number {
  const { list, margin, rows, target } = options;
  const wanted = targetOffset(options);
  const place = useRef<Place>(undefined);
  const latest = useRef(options);
  const placed = useRef({ margin, rows });
  const left = useRef<Target>(undefined);
  /** Where the target was put; undefined if there is none, or it was left. */
  const heldAt = useRef<number>(undefined);
  const [, showRowsThere] = useReducer((count: number) => count + 1, 0);
  const isHeld = wanted !== undefined && left.current !== target;
  // The list learns of a scroll only with the next frame: without this, the rows at the old place are rendered once more.
  if (isHeld) list.scrollOffset = Math.max(0, wanted);
  // Before the page is painted, so that it doesn't show another place first.
  useLayoutEffect(() => {
    latest.current = options;
    list.shouldAdjustScrollPositionOnItemSizeChange = isHeld ? () => false : undefined;
    if (isHeld) {
      if (Math.abs(wanted - scrollY) >= 1) scrollTo(0, wanted);
      heldAt.current = scrollY;
      const rendered = list.scrollOffset ?? 0;
      list.scrollOffset = scrollY;
      // The page may end before the wanted place.
      if (Math.abs(scrollY - rendered) >= 1) showRowsThere();
    } else {
      heldAt.current = undefined;
      if (placed.current.rows !== rows || placed.current.margin !== margin) keep(place.current, list, rows);
    }
    placed.current = { margin, rows };
  });
  useEffect(() => {
    // At the beginning of a frame nothing has changed yet, so reading the position costs nothing.
    const note = () => {
      place.current = placeIn(latest.current);
    };
    const leave = () => {
      if (heldAt.current === undefined) return;
      heldAt.current = undefined;
      left.current = latest.current.target;
      note();
    };
    const onScroll = () => {
      if (heldAt.current === undefined) note();
      else if (Math.abs(scrollY - heldAt.current) >= 1) leave();
    };
    const onPress = (event: Event) => box.current?.contains(event.target as Node) && leave();
    addEventListener('scroll', onScroll, { passive: true });
    // Before those handlers that set another target.
    addEventListener('keydown', leave, { capture: true });
    addEventListener('pointerdown', onPress, { capture: true });
    return () => {
      removeEventListener('scroll', onScroll);
      removeEventListener('keydown', leave, { capture: true });
      removeEventListener('pointerdown', onPress, { capture: true });
    };
  }, [box]);
  return wanted === undefined ? 0 : wanted + innerHeight - margin;
}

/** A file's header is right below what is covered; a card or line is in the middle, as soon as its file is loaded. */
function targetOffset({ coveredTop, list, rows, target }: PlaceOptions): number | undefined {
  const file = target && rows.files.find(({ state }) => state.file.path === target.path);
  if (!file) return undefined;
  const { measurementsCache: items } = list;
  const row = rowOf(target, file.rows);
  if (row < 0) return items[file.start]!.start + SPACE_ABOVE_FILE - coveredTop;
  const { size, start } = items[file.start + row]!;
  const covered = coveredTop + FILE_HEADER_HEIGHT;
  return start - covered - Math.max(0, (innerHeight - covered - size) / 2);
}

/** Negative for a file as a whole, and while its lines aren't there. */
function rowOf(target: Target, rows: readonly FileRow[]): number {
  if ('card' in target) return rows.findIndex(({ key }) => key === `card ${target.card}`);
  if (!('line' in target)) return -1;
  const { number, side } = target.line;
  return rows.findIndex((row) => {
    const line = row.type === 'line' ? (side === 'old' ? row.left : row.right) : undefined;
    return line !== undefined && lineNumber(line, side) === number;
  });
}

function placeIn({ coveredTop, list, margin, rows }: PlaceOptions): Place | undefined {
  const top = scrollY + coveredTop;
  const item = top < margin ? undefined : list.getVirtualItemForOffset(top);
  const row = item && rows.all[item.index];
  const file = row && rows.files[row.file];
  return (
    file && {
      key: row.key,
      header: rows.all[file.start]!.key,
      distance: scrollY - item.start,
      headerDistance: scrollY - list.measurementsCache[file.start]!.start,
    }
  );
}

function keep(place: Place | undefined, list: Virtualizer<Window, Element>, { all }: Rows): void {
  if (!place) return;
  const startOf = (key: string) => list.measurementsCache[all.findIndex((row) => row.key === key)]?.start;
  const start = startOf(place.key);
  if (start !== undefined) scrollBy(0, start + place.distance - scrollY);
  else {
    const headerStart = startOf(place.header);
    if (headerStart !== undefined) scrollBy(0, headerStart + place.headerDistance - scrollY);
  }
}
