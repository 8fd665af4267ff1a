/**
 * Cuts what a tool has to say into pages that keep a budget. Pieces stay in their order; one that is too long for a
 * page of its own is cut between paragraphs, lines or words; whoever follows the cursors gets every sign once.
 */
import { invalidRequest } from '../../platform/core/errors.ts';

/** Tokens are reckoned, not counted: models differ, and for most text this is on the safe side. */
const BYTES_PER_TOKEN = 3;

export const TOKEN_LIMITS = { least: 500, most: 100_000, usual: 10_000 } as const;

export function bytesFor(maxTokens: number): number {
  return maxTokens * BYTES_PER_TOKEN;
}

export interface Piece {
  /** Tells it apart from the others, and stays the same while other pieces come and go. */
  key: string;
  text: string;
  /** Worth nothing in parts: a path, say. */
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
  /** What does not fit even on a page of its own; the next page goes on after it. */
  tooLarge: P[];
}

/** The size in bytes of a page with these parts, after so many pieces that were too large. A longer page must not be smaller. */
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
    const parts = takeParts(rest, budgetBytes, (some, next) => measure(some, next, tooLarge.length));
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
  const count = mostThatFit(rest, budgetBytes, fits);
  const parts = rest.slice(0, count);
  const following = rest[count];
  if (!following || following.piece.atomic) return parts;
  // A piece that fits on the next page stays whole, unless this page would stay half empty.
  const isWorthCutting =
    count === 0 || measure(parts, null) <= budgetBytes / 2 || measure([following], null) > budgetBytes;
  const cut = isWorthCutting && cutToFit(following, budgetBytes, (part) => fits([...parts, part]));
  return cut ? [...parts, cut] : parts;
}

function partsAfter<P extends Piece>(pieces: readonly P[], from: Position | null): Part<P>[] {
  const first = from ? pieces.findIndex(({ key }) => key === from.key) : 0;
  if (first < 0) {
    throw invalidRequest([
      { path: 'cursor', message: 'points to something that is gone; call again without `cursor`' },
    ]);
  }
  return pieces.slice(first).map((piece, index) => {
    const start = index === 0 && from ? startAt(piece.text, from.offset) : 0;
    return { piece, text: piece.text.slice(start), start, end: piece.text.length };
  });
}

/** A text that was changed meanwhile may be shorter, or have a pair of surrogates at this place. */
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

/** How many whole parts fit, found by halving; texts alone (a UTF-16 unit is at least a byte) bound where to look. */
function mostThatFit<P extends Piece>(
  rest: Part<P>[],
  budgetBytes: number,
  fits: (parts: Part<P>[]) => boolean,
): number {
  let most = 0;
  for (let units = 0; most < rest.length; most += 1) {
    units += rest[most]!.text.length;
    if (units > budgetBytes) break;
  }
  if (fits(rest.slice(0, most))) return most;
  return largest(0, most - 1, (count) => fits(rest.slice(0, count)));
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
  const room = largest(0, longest, (length) => fits(cutAt(codePointBefore(part.text, length))));
  const length = sensibleCut(part.text, codePointBefore(part.text, room));
  return length > 0 ? cutAt(length) : undefined;
}

/** The last end of a paragraph, a line or a word before `most`, unless that would waste more than half of the room. */
function sensibleCut(text: string, most: number): number {
  for (const sign of ['\n\n', '\n', ' ']) {
    if (most < sign.length) continue;
    const end = text.lastIndexOf(sign, most - sign.length) + sign.length;
    if (end >= sign.length && end > most / 2) return end;
  }
  return most;
}

/** `at`, or one less where it would part a pair of surrogates. */
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
