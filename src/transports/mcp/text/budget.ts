/**
 * Splits a tool's reply into pages within a budget. Pieces keep their order; one that is too long for a page is split
 * between paragraphs, lines or words. A client that follows the cursors gets every character exactly once.
 */
import { invalidRequest } from '../../../platform/core/errors/errors.ts';

/** Tokens are estimated: models count differently, and for most text this is on the safe side. */
const BYTES_PER_TOKEN = 3;

export const TOKEN_LIMITS = { min: 500, max: 100_000, default: 10_000 } as const;

export function bytesFor(maxTokens: number): number {
  return maxTokens * BYTES_PER_TOKEN;
}

export interface Piece {
  /** Unique, and stable while other pieces are added or removed. */
  key: string;
  text: string;
  /** Never split, for example a path. */
  atomic?: boolean;
}

/** A piece on a page, or the part of its text from `start` to `end`. */
export interface Part<P extends Piece> {
  piece: P;
  text: string;
  start: number;
  end: number;
}

/** Where the next page begins. */
export interface Position {
  key: string;
  offset: number;
}

export interface Page<P extends Piece> {
  parts: Part<P>[];
  next: Position | null;
  /** Pieces that don't fit even on an empty page; they are skipped. */
  tooLarge: P[];
}

/** The size in bytes of a page with these parts; `tooLarge` is the number of skipped pieces. Adding parts must not make it smaller. */
export type Measure<P extends Piece> = (
  parts: readonly Part<P>[],
  next: Position | null,
  tooLarge: number,
) => number;

export function fillPage<P extends Piece>(
  pieces: readonly P[],
  from: Position | null,
  budgetBytes: number,
  measure: Measure<P>,
): Page<P> {
  const tooLarge: P[] = [];
  for (let rest = partsAfter(pieces, from); rest.length > 0; rest = rest.slice(1)) {
    const parts = takeParts(rest, budgetBytes, (chosen, next) => measure(chosen, next, tooLarge.length));
    if (parts.length > 0) return { parts, next: positionAfter(parts, rest), tooLarge };
    tooLarge.push(rest[0]!.piece);
  }
  return { parts: [], next: null, tooLarge };
}

function takeParts<P extends Piece>(
  rest: Part<P>[],
  budgetBytes: number,
  measure: (parts: readonly Part<P>[], next: Position | null) => number,
): Part<P>[] {
  const fits = (parts: Part<P>[]) => measure(parts, positionAfter(parts, rest)) <= budgetBytes;
  const count = countThatFit(rest, budgetBytes, fits);
  const parts = rest.slice(0, count);
  const following = rest[count];
  if (!following || following.piece.atomic) return parts;
  // A piece that fits on the next page is not split, unless this page would be less than half full.
  const shouldSplit =
    count === 0 || measure(parts, null) <= budgetBytes / 2 || measure([following], null) > budgetBytes;
  const cut = shouldSplit && cutToFit(following, budgetBytes, (part) => fits([...parts, part]));
  return cut ? [...parts, cut] : parts;
}

function partsAfter<P extends Piece>(pieces: readonly P[], from: Position | null): Part<P>[] {
  const first = from ? pieces.findIndex(({ key }) => key === from.key) : 0;
  if (first < 0) {
    throw invalidRequest([
      { path: 'cursor', message: 'points to something that no longer exists; call again without `cursor`' },
    ]);
  }
  return pieces.slice(first).map((piece, index) => {
    const start = index === 0 && from ? startAt(piece.text, from.offset) : 0;
    return { piece, text: piece.text.slice(start), start, end: piece.text.length };
  });
}

/** The text may have changed since: it may be shorter now, or have a surrogate pair at this offset. */
function startAt(text: string, offset: number): number {
  return codePointBefore(text, Math.min(offset, text.length));
}

function positionAfter<P extends Piece>(
  parts: readonly Part<P>[],
  rest: readonly Part<P>[],
): Position | null {
  const last = parts.at(-1);
  if (last && last.end < last.piece.text.length) return { key: last.piece.key, offset: last.end };
  const following = rest[parts.length];
  return following ? { key: following.piece.key, offset: following.start } : null;
}

/** How many whole parts fit, by binary search. The lengths of the texts (a UTF-16 unit is at least a byte) bound the search. */
function countThatFit<P extends Piece>(
  rest: Part<P>[],
  budgetBytes: number,
  fits: (parts: Part<P>[]) => boolean,
): number {
  let max = 0;
  for (let units = 0; max < rest.length; max += 1) {
    units += rest[max]!.text.length;
    if (units > budgetBytes) break;
  }
  if (fits(rest.slice(0, max))) return max;
  return largest(0, max - 1, (count) => fits(rest.slice(0, count)));
}

function cutToFit<P extends Piece>(
  part: Part<P>,
  budgetBytes: number,
  fits: (part: Part<P>) => boolean,
): Part<P> | undefined {
  const cutAt = (length: number): Part<P> => {
    const text = part.text.slice(0, length);
    return { ...part, text, end: part.start + text.length };
  };
  const longest = Math.min(budgetBytes, part.text.length - 1);
  const space = largest(0, longest, (length) => fits(cutAt(codePointBefore(part.text, length))));
  const length = naturalBreak(part.text, codePointBefore(part.text, space));
  return length > 0 ? cutAt(length) : undefined;
}

/** The last end of a paragraph, line or word before `max`, unless that would waste more than half of the space. */
function naturalBreak(text: string, max: number): number {
  for (const separator of ['\n\n', '\n', ' ']) {
    if (max < separator.length) continue;
    const end = text.lastIndexOf(separator, max - separator.length) + separator.length;
    if (end >= separator.length && end > max / 2) return end;
  }
  return max;
}

/** `at`, or one less where it would split a surrogate pair. */
function codePointBefore(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return isLowSurrogate(unit) && isHighSurrogate(before) ? at - 1 : at;
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** The largest number from `low` to `high` that passes; `low` when none does. */
function largest(low: number, high: number, passes: (value: number) => boolean): number {
  let [yes, no] = [low, high + 1];
  while (yes + 1 < no) {
    const middle = (yes + no) >>> 1;
    if (passes(middle)) yes = middle;
    else no = middle;
  }
  return yes;
}
