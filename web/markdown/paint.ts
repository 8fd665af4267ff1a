/** Splits text exactly where highlights begin and end. */
import { isExact, type Piece } from './tree.ts';

export type HighlightTone = 'comment' | 'active' | 'quiet' | 'added' | 'removed';

/** A range of the source to highlight. */
export interface Highlight {
  /** Contains no white space. */
  id: string;
  start: number;
  end: number;
  tone: HighlightTone;
  /** The tooltip and accessible name, such as "Comment by Ada". */
  label?: string;
}

/** A highlight and the source offset of its first visible character; its start may be markup, which isn't shown. */
export interface PlacedHighlight extends Highlight {
  seen: number;
}

/** Text with the highlights that cover it, shortest first. */
export interface Stretch {
  text: string;
  highlights: readonly PlacedHighlight[];
  /** Whether one of them starts here. */
  begins: boolean;
}

export function paint(pieces: readonly Piece[], highlights: readonly PlacedHighlight[]): Stretch[] {
  const stretches: Stretch[] = [];
  const add = (text: string, start: number, end: number) => {
    const on = highlights
      .filter((highlight) => highlight.start < end && start < highlight.end)
      .sort(byLength);
    const begins = on.some(({ seen }) => start <= seen && seen < end);
    const last = stretches.at(-1);
    if (last && !begins && haveSame(last.highlights, on)) last.text += text;
    else stretches.push({ text, highlights: on, begins });
  };
  for (const piece of pieces) {
    const cuts = isExact(piece) ? cutsIn(piece, highlights) : [];
    let start = piece.start;
    for (const cut of [...cuts, piece.end]) {
      const text = cuts.length === 0 ? piece.text : piece.text.slice(start - piece.start, cut - piece.start);
      add(text, start, cut);
      start = cut;
    }
  }
  return stretches;
}

/** Finds the first visible character of each highlight; pieces are in source order. */
export function placeHighlights(
  pieces: readonly Piece[],
  highlights: readonly Highlight[],
): PlacedHighlight[] {
  return highlights.flatMap((highlight) => {
    let low = 0;
    let high = pieces.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pieces[middle]!.end > highlight.start) high = middle;
      else low = middle + 1;
    }
    const piece = pieces[low];
    const isShown = piece && piece.start < highlight.end && highlight.start < highlight.end;
    return isShown ? [{ ...highlight, seen: Math.max(piece.start, highlight.start) }] : [];
  });
}

/** Whether both look the same, so that a render can be skipped. */
export function arePaintedAlike(
  some: readonly PlacedHighlight[],
  others: readonly PlacedHighlight[],
): boolean {
  return (
    some.length === others.length &&
    some.every((one, index) => {
      const other = others[index]!;
      const keys = ['id', 'start', 'end', 'tone', 'label', 'seen'] as const;
      return keys.every((key) => one[key] === other[key]);
    })
  );
}

function cutsIn(piece: Piece, highlights: readonly Highlight[]): number[] {
  const cuts = new Set<number>();
  for (const { start, end } of highlights)
    for (const at of [start, end]) if (piece.start < at && at < piece.end) cuts.add(at);
  return [...cuts].sort((one, other) => one - other);
}

function byLength(one: Highlight, other: Highlight): number {
  return one.end - one.start - (other.end - other.start);
}

function haveSame(some: readonly Highlight[], others: readonly Highlight[]): boolean {
  return some.length === others.length && some.every((highlight, index) => others[index] === highlight);
}
