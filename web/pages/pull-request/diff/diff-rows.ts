/** The rows of one file: lines in one or two columns, gaps, and threads below the lines they are about. Pure. */
import { type DiffLine, type Gap, lineNumber } from './diff-lines.ts';
import type { Side } from './diff-types.ts';

export type DiffRow =
  | { type: 'line'; key: string; left: DiffLine | undefined; right: DiffLine | undefined }
  | { type: 'gap'; key: string; gap: Gap }
  /** Threads and a comment that is being written. */
  | { type: 'card'; key: string; id: string };

export type LineRow = Extract<DiffRow, { type: 'line' }>;

/** Something below a line of one side. */
export interface Placed {
  id: string;
  side: Side;
  line: number;
}

export function rowsOf(
  lines: readonly (DiffLine | Gap)[],
  placed: readonly Placed[],
  columns: 1 | 2,
): { rows: DiffRow[]; hidden: Placed[]; missing: Placed[] } {
  const below = new Map<string, Placed[]>();
  for (const card of placed) {
    const place = `${card.side}:${card.line}`;
    below.set(place, [...(below.get(place) ?? []), card]);
  }
  const rows: DiffRow[] = [];
  const hidden: Placed[] = [];
  const add: AddRow = (left, right) => {
    rows.push({ type: 'line', key: keyOf(left, right), left, right });
    const cards = new Set<Placed>();
    for (const [line, side] of [
      [left, 'old'],
      [right, 'new'],
    ] as const) {
      const number = line && lineNumber(line, side);
      if (number === undefined) continue;
      const place = `${side}:${number}`;
      for (const card of below.get(place) ?? []) cards.add(card);
      below.delete(place);
    }
    for (const { id } of cards) rows.push({ type: 'card', key: `card ${id}`, id });
  };
  /** Cards whose lines are hidden wait below the gap, so that they are near their place until it opens. */
  const addGap = (gap: Gap) => {
    rows.push({ type: 'gap', key: `gap ${gap.new}`, gap });
    const inGap = placed.filter(({ line, side }) => gap[side] <= line && line < gap[side] + gap.count);
    for (const card of inGap.toSorted((one, other) => one.line - other.line)) {
      below.delete(`${card.side}:${card.line}`);
      hidden.push(card);
      rows.push({ type: 'card', key: `card ${card.id}`, id: card.id });
    }
  };
  let run: DiffLine[] = [];
  for (const line of [...lines, undefined]) {
    if (line && line.kind !== 'gap') {
      if (columns === 1) add(...sidesOf(line));
      else run.push(line);
      continue;
    }
    addSideBySide(run, add);
    run = [];
    if (line) addGap(line);
  }
  return { rows, hidden, missing: [...below.values()].flat() };
}

type AddRow = (left: DiffLine | undefined, right: DiffLine | undefined) => void;

/** In one column an added line is on the right alone, a removed one on the left alone. */
function sidesOf(line: DiffLine): [DiffLine | undefined, DiffLine | undefined] {
  if (line.kind === 'added') return [undefined, line];
  return line.kind === 'removed' ? [line, undefined] : [line, line];
}

function addSideBySide(lines: readonly DiffLine[], add: AddRow): void {
  for (let index = 0; index < lines.length; ) {
    const line = lines[index]!;
    if (line.kind === 'same') {
      add(line, line);
      index += 1;
      continue;
    }
    const removed: DiffLine[] = [];
    const added: DiffLine[] = [];
    while (lines[index]?.kind === 'removed') removed.push(lines[index++]!);
    while (lines[index]?.kind === 'added') added.push(lines[index++]!);
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) add(removed[at], added[at]);
  }
}

function keyOf(left: DiffLine | undefined, right: DiffLine | undefined): string {
  return `${left?.old ?? ''}:${right?.new ?? ''}`;
}
