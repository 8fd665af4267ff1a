/** Parses what follows a backslash: a character, a class such as `\w` or `\p{Greek}`, or an assertion such as `\b`. */
import type { PatternCharacter } from './character-bytes.ts';
import { NotUnderstood } from './not-understood.ts';
import type { PatternCursor } from './pattern-cursor.ts';

export type Escape =
  | { kind: 'character'; character: PatternCharacter }
  /** One character of a set that isn't enumerated. */
  | { kind: 'set' }
  /** Matches between characters. */
  | { kind: 'assertion' };

const CONTROLS: Record<string, number> = { a: 0x07, f: 0x0c, t: 0x09, n: 0x0a, r: 0x0d, v: 0x0b };
const HEX_DIGITS: Record<string, number> = { x: 2, u: 4, U: 8 };
const BOUNDARIES = new Set(['start', 'end', 'start-half', 'end-half']);

/** The cursor is after the backslash. */
export function parseEscape(cursor: PatternCursor): Escape {
  const sign = cursor.take();
  if (sign in HEX_DIGITS) return { kind: 'character', character: parseHex(cursor, sign) };
  if (sign in CONTROLS) return character(CONTROLS[sign]!);
  if ('dDsSwW'.includes(sign)) return { kind: 'set' };
  if (sign === 'p' || sign === 'P') {
    skipProperty(cursor);
    return { kind: 'set' };
  }
  if (sign === 'b') skipBoundaryName(cursor);
  if ('bBAz<>'.includes(sign)) return { kind: 'assertion' };
  if (/^[^\x80-\u{10ffff}A-Za-z0-9]$/u.test(sign)) return character(sign.codePointAt(0)!);
  throw new NotUnderstood(`unknown escape \\${sign}`);
}

function character(codePoint: number): Escape {
  return { kind: 'character', character: { codePoint, isByteEscape: false } };
}

/** `\x41`, `\u0041`, `\U00000041`, and each with braces and any number of digits. */
function parseHex(cursor: PatternCursor, sign: string): PatternCharacter {
  let digits = '';
  cursor.skipSpace();
  const braced = cursor.takeIf('{');
  if (braced) {
    for (cursor.skipSpace(); !cursor.takeIf('}'); cursor.skipSpace()) digits += cursor.take();
  } else {
    for (let left = HEX_DIGITS[sign]!; left > 0; left -= 1) {
      cursor.skipSpace();
      digits += cursor.take();
    }
  }
  const codePoint = /^[0-9A-Fa-f]+$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  if (!(codePoint < 0xd800 || (codePoint > 0xdfff && codePoint <= 0x10ffff))) {
    throw new NotUnderstood(`\\${sign}${digits} is no character`);
  }
  return { codePoint, isByteEscape: sign === 'x' && !braced };
}

/** `\pL` or `\p{Greek}`. ripgrep decides whether the property exists. */
function skipProperty(cursor: PatternCursor): void {
  cursor.skipSpace();
  if (cursor.take() !== '{') return;
  while (!cursor.takeIf('}')) cursor.take();
}

/** `\b{start}` names a kind of boundary, but `\b{2}` repeats `\b`. */
function skipBoundaryName(cursor: PatternCursor): void {
  if (cursor.current !== '{' || !/^[A-Za-z-]$/.test(cursor.nextBeyondSpace)) return;
  cursor.take();
  let name = '';
  for (cursor.skipSpace(); !cursor.takeIf('}'); cursor.skipSpace()) name += cursor.take();
  if (!BOUNDARIES.has(name)) throw new NotUnderstood(`unknown boundary ${name}`);
}
