/** Keeps what is being read where it is while rows above it arrive, open or close. */
import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Rows } from './use-rows.ts';

interface Place {
  key: string;
  header: string;
  /** How far the top of the window is below the row, and below the header of its file. */
  distance: number;
  headerDistance: number;
}

export function useKeepPlace(list: Virtualizer<Window, Element>, rows: Rows): void {
  const place = useRef<Place>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other rows can move what is being read.
  useLayoutEffect(() => {
    if (!place.current) return;
    const { distance, header, headerDistance, key } = place.current;
    const starts = list.measurementsCache;
    const index = rows.all.findIndex((row) => row.key === key);
    const start = index < 0 ? undefined : starts[index]?.start;
    if (start !== undefined) scrollBy(0, start + distance - scrollY);
    else {
      const headerStart = starts[rows.all.findIndex((row) => row.key === header)]?.start;
      if (headerStart !== undefined) scrollBy(0, headerStart + headerDistance - scrollY);
    }
  }, [rows]);
  const latest = useRef(rows);
  // Before the next scroll event, which would find other rows than those that are measured.
  useLayoutEffect(() => {
    latest.current = rows;
  });
  useEffect(() => {
    // At the beginning of a frame nothing has changed yet, so reading the position costs nothing.
    const note = () => {
      const { all, files } = latest.current;
      const item = scrollY < list.options.scrollMargin ? undefined : list.getVirtualItemForOffset(scrollY);
      const row = item && all[item.index];
      const file = row && files[row.file];
      place.current = row &&
        file && {
          key: row.key,
          header: all[file.start]!.key,
          distance: scrollY - item.start,
          headerDistance: scrollY - list.measurementsCache[file.start]!.start,
        };
    };
    addEventListener('scroll', note, { passive: true });
    return () => removeEventListener('scroll', note);
  }, [list]);
}
