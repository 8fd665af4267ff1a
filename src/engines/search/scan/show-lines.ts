/** The lines to show for a file's matches: each with two lines of context, long ones truncated around the match. */
import type { CodeLine } from '../../../platform/core/ports/code-reader.ts';
import type { LineMatch } from './scan-request.ts';

const CONTEXT_LINES = 2;
/** Longer lines are truncated, keeping this much before the match. */
const MAX_LINE_BYTES = 400;
const BEFORE_MATCH_BYTES = 120;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

export interface ShownLine extends CodeLine {
  /** A copy of the whole line, to find all matches in it; empty unless requested. */
  bytes: Buffer;
  /** The range of the line that is shown. */
  from: number;
  to: number;
}

/** `places` are in order. The last line may lack a line feed. */
export function showLines(text: Buffer, places: LineMatch[], withBytes = true): ShownLine[] {
  const shown: ShownLine[] = [];
  let number = 1;
  let at = 0;
  // The offsets of the previous lines, for context.
  const before: number[] = [];
  let after = 0;
  let next = 0;
  while (at < text.length && (next < places.length || after > 0)) {
    const place = places[next];
    if (place && after === 0 && before.length === CONTEXT_LINES && place.lineStart > at) {
      // Skips ahead to just before the next match.
      number += skipLines(text, at, place.lineStart, before);
      at = place.lineStart;
    }
    const found = text.indexOf(LINE_FEED, at);
    const end = found === -1 ? text.length : found;
    if (place?.lineStart === at) {
      before.forEach((start, index) => {
        const line = number - before.length + index;
        shown.push(lineOf(text, start, text.indexOf(LINE_FEED, start), line, undefined));
      });
      before.length = 0;
      shown.push(lineOf(text, at, end, number, place.column));
      after = CONTEXT_LINES;
      next += 1;
    } else if (after > 0) {
      shown.push(lineOf(text, at, end, number, undefined));
      after -= 1;
    } else {
      before.push(at);
      if (before.length > CONTEXT_LINES) before.shift();
    }
    at = end + 1;
    number += 1;
  }
  return withBytes ? shown.map((line) => ({ ...line, bytes: Buffer.from(line.bytes) })) : shown;
}

/** Counts the lines up to the one at `target`, and remembers the offsets of the last ones before it. */
function skipLines(text: Buffer, from: number, target: number, before: number[]): number {
  let count = 0;
  for (let at = from; at < target; at += 1) if (text[at] === LINE_FEED) count += 1;
  const starts: number[] = [];
  for (let at = target; starts.length < Math.min(count, CONTEXT_LINES); ) {
    at = text.lastIndexOf(LINE_FEED, at - 2) + 1;
    starts.unshift(at);
  }
  before.push(...starts);
  before.splice(0, starts.length);
  return count;
}

/** The line number of each place. `places` are in order. */
export function numbersOf(text: Buffer, places: LineMatch[]): number[] {
  let [number, at] = [1, 0];
  return places.map(({ lineStart }) => {
    for (; at < lineStart; at += 1) if (text[at] === LINE_FEED) number += 1;
    return number;
  });
}

/** How far a text must be read to show all lines up to its last match; undefined when more is needed. */
export function endOfShown(text: Buffer, last: LineMatch): number | undefined {
  let at = last.lineStart;
  for (let line = 0; line <= CONTEXT_LINES; line += 1) {
    const end = text.indexOf(LINE_FEED, at);
    if (end === -1) return undefined;
    at = end + 1;
  }
  return at;
}

function lineOf(
  text: Buffer,
  start: number,
  end: number,
  number: number,
  column: number | undefined,
): ShownLine {
  const last = end > start && text[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
  const bytes = text.subarray(start, last);
  const { from, to } = cut(bytes, column ?? 0);
  return {
    number,
    text: `${from > 0 ? '…' : ''}${bytes.toString('utf8', from, to)}${to < bytes.length ? '…' : ''}`,
    isMatch: column !== undefined,
    ranges: [],
    bytes,
    from,
    to,
  };
}

function cut(bytes: Buffer, column: number): { from: number; to: number } {
  if (bytes.length <= MAX_LINE_BYTES) return { from: 0, to: bytes.length };
  const wanted = Math.max(0, Math.min(column - BEFORE_MATCH_BYTES, bytes.length - MAX_LINE_BYTES));
  const from = characterStart(bytes, wanted);
  return { from, to: characterStart(bytes, Math.min(bytes.length, from + MAX_LINE_BYTES)) };
}

/** The start of the character at an offset, so that no character is split. */
function characterStart(bytes: Buffer, place: number): number {
  for (let back = 0; back < 4; back += 1) {
    if (place - back <= 0 || place >= bytes.length) return place;
    if ((bytes[place - back]! & 0xc0) !== 0x80) return place - back;
  }
  return place;
}

/** Matches as offsets in the shown text. */
export function placeRanges(
  line: ShownLine,
  ranges: { start: number; end: number }[],
): { start: number; end: number }[] {
  const lead = line.from > 0 ? 1 : 0;
  const textLength = (end: number) => line.bytes.toString('utf8', line.from, end).length;
  return ranges
    .filter(({ end, start }) => end > start && start < line.to && end > line.from)
    .map(({ end, start }) => ({
      start: lead + textLength(Math.max(start, line.from)),
      end: lead + textLength(Math.min(end, line.to)),
    }));
}
