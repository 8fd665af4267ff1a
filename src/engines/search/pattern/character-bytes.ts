/** The bytes that one character of a pattern can match, with A to Z lowercased as in the index. */
import { NotUnderstood } from './not-understood.ts';

/** The flags that decide which bytes a character matches. */
export interface CharacterFlags {
  ignoreCase: boolean;
  unicode: boolean;
}

export interface PatternCharacter {
  codePoint: number;
  /** Written as `\xFF`: with `(?-u)`, one byte instead of a code point. */
  isByteEscape: boolean;
}

/** The only non-ASCII characters that match an ASCII letter under `(?i)`: the kelvin sign and the long s. */
const PARTNERS: Record<string, string> = { k: '\xe2\x84\xaa', s: '\xc5\xbf' };

const LINE_FEED = 0x0a;

/** Undefined when the bytes aren't known: case folding of non-ASCII characters is left to ripgrep. */
export function characterBytes(character: PatternCharacter, flags: CharacterFlags): string[] | undefined {
  const { codePoint, isByteEscape } = character;
  if (isLineFeed(character)) throw new NotUnderstood('no line holds a line feed');
  if (codePoint >= 0x80) {
    if (isByteEscape && !flags.unicode) return [String.fromCharCode(codePoint)];
    if (flags.ignoreCase) return undefined;
    return [Buffer.from(String.fromCodePoint(codePoint)).toString('latin1')];
  }
  const lower = String.fromCharCode(codePoint).toLowerCase();
  const partner = flags.ignoreCase ? PARTNERS[lower] : undefined;
  return partner ? [lower, partner] : [lower];
}

export function isLineFeed({ codePoint }: PatternCharacter): boolean {
  return codePoint === LINE_FEED;
}
