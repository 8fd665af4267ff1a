/** The differences of all files as one list, of which only the rows near the viewport exist. */
import '../../../markdown/markdown.css';
import '../../../parts/code/code.css';
import './diff.css';
import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { DiffListProps, Target } from './diff-list-props.ts';
import type { Side } from './diff-types.ts';
import { FileSection } from './file-section.tsx';
import { type ColorBlock, LineColors } from './line-colors.ts';
import { heightOf } from './row-heights.ts';
import type { WantedFile } from './use-file-diffs.ts';
import { useLettersALine } from './use-letters-a-line.ts';
import { useLineKeys } from './use-line-keys.ts';
import { usePlace } from './use-place.ts';
import type { Rows } from './use-rows.ts';

const OVERSCAN_ROWS = 8;
/** Files before and after the visible ones that are loaded ahead. */
const FILES_AHEAD = 2;

export function DiffList(props: DiffListProps) {
  const { columns, coveredTop, isWhole, onWant, rows, target } = props;
  const box = useRef<HTMLDivElement>(null);
  const margin = useMargin(box);
  const letters = useLettersALine(box, columns);
  const list = useWindowVirtualizer({
    count: rows.all.length,
    estimateSize: (index) => {
      const { file, row } = rows.all[index]!;
      return heightOf(row, rows.files[file]!.state.file, letters);
    },
    getItemKey: useCallback((index: number) => rows.all[index]!.key, [rows]),
    overscan: isWhole ? rows.all.length : OVERSCAN_ROWS,
    scrollMargin: margin,
    scrollPaddingStart: coveredTop,
    useFlushSync: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width changes the height of every wrapped line.
  useLayoutEffect(() => {
    list.measure();
    // Estimates first, so that what is measured now differs from them.
    list.getTotalSize();
    for (const element of list.elementsCache.values()) list.measureElement(element);
  }, [letters]);
  const totalHeight = list.getTotalSize();
  const neededHeight = usePlace(box, { list, rows, margin, coveredTop, target });

  const items = list.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? -1];
  useEffect(
    () => onWant(wantedFiles(rows, first, last, isWhole, target)),
    [first, isWhole, last, onWant, rows, target],
  );
  const colors = useColors(rows, first, last);
  const focusRow = useFocusRow(box, (index) => list.scrollToIndex(index, { align: 'auto' }));
  const keys = useLineKeys({ ...props, focusRow });

  const style = {
    height: Math.max(totalHeight, neededHeight),
    '--numbers': `${Math.max(columns === 2 ? 2.75 : 3.25, numberWidth(rows) * 0.5 + 1.25)}rem`,
  } as CSSProperties;
  return (
    <div
      ref={box}
      className="diff"
      data-columns={columns}
      data-may-comment={props.onComment !== undefined}
      data-old-comments={props.takesOldComments}
      style={style}
      {...keys}
    >
      {byFile(items, rows).map(([index, own]) => {
        const file = rows.files[index]!;
        const end = (rows.files[index + 1]?.start ?? rows.all.length) - 1;
        const [top, bottom] = [list.measurementsCache[file.start]!.start, list.measurementsCache[end]!.end];
        return (
          <FileSection
            key={file.state.file.path}
            {...props}
            file={file}
            items={own}
            top={top}
            height={bottom - top}
            margin={margin}
            letters={letters}
            colors={colors}
            measure={list.measureElement}
          />
        );
      })}
    </div>
  );
}

/** How far the list is from the top of the page. */
function useMargin(box: RefObject<HTMLElement | null>): number {
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const look = () => setMargin(Math.round(box.current!.getBoundingClientRect().top + scrollY));
    look();
    // Something above it may appear, which makes the page higher.
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [box]);
  return margin;
}

function byFile(items: readonly VirtualItem[], rows: Rows): [number, VirtualItem[]][] {
  return [...Map.groupBy(items, ({ index }) => rows.all[index]!.file)];
}

/** Digits of the highest line number. */
function numberWidth({ all }: Rows): number {
  return String(all.length).length;
}

/** The file to scroll to, the visible files, then those around them. */
function wantedFiles(
  rows: Rows,
  first: number,
  last: number,
  isWhole: boolean,
  target: Target | undefined,
): WantedFile[] {
  const from = rows.all[first]?.file ?? 0;
  const to = rows.all[last]?.file ?? 0;
  const visible = rows.files.slice(from, to + 1);
  const ahead = isWhole
    ? rows.files
    : [...rows.files.slice(to + 1, to + 1 + FILES_AHEAD), ...rows.files.slice(Math.max(0, from - 1), from)];
  const wanted = target ? rows.files.filter(({ state }) => state.file.path === target.path) : [];
  return [...wanted, ...visible, ...ahead].flatMap(({ needs, state: { file } }) =>
    needs === undefined
      ? []
      : { file, whole: needs === 'whole', isTarget: file.path === target?.path && needs === 'diff' },
  );
}

/** Asks for the colors of the visible lines, and renders again when they arrive. */
function useColors(rows: Rows, first: number, last: number): LineColors {
  const [, setColored] = useState(0);
  const colors = useMemo(() => new LineColors(() => setColored((count) => count + 1)), []);
  useEffect(() => {
    const blocks = new Set<ColorBlock>();
    for (let index = first; index <= last; index += 1) {
      const { file, row } = rows.all[index] ?? {};
      if (row?.type !== 'line') continue;
      for (const line of [row.right, row.left]) {
        const block = line && rows.files[file!]!.blocks.get(line);
        if (block) blocks.add(block);
      }
    }
    colors.want([...blocks]);
  }, [colors, first, last, rows]);
  return colors;
}

/** Focuses a number once its row exists. */
function useFocusRow(box: RefObject<HTMLElement | null>, scrollTo: (index: number) => void) {
  const wanted = useRef<{ index: number; side: Side }>(undefined);
  useEffect(() => {
    if (!wanted.current) return;
    const { index, side } = wanted.current;
    const number = box.current?.querySelector<HTMLElement>(
      `[data-index="${index}"] .number[data-side="${side}"] button`,
    );
    if (!number) return;
    wanted.current = undefined;
    number.focus({ preventScroll: true });
  });
  return (index: number, side: Side) => {
    wanted.current = { index, side };
    scrollTo(index);
  };
}
