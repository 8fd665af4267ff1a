/** Finds literal text in bytes, as ripgrep finds the pattern that it comes from. */

/** Text that a pattern matches literally, such as `fmt\.Println`, or as a word, such as `\bsleep\b`. */
export interface LiteralText {
  bytes: Buffer;
  /** It must follow (or precede) the start (or end) of a line or a character that isn't part of a word. */
  startsWord: boolean;
  endsWord: boolean;
}

/** Only ripgrep knows whether a character beyond ASCII is part of a word. */
export class NotAscii extends Error {}

/** More bytes than a character of UTF-8 has, on both sides. */
export const NEIGHBOR_BYTES = 8;

/**
 * The offset of the first match at or after `from`; -1 when there is none. `isStart` and `isEnd` tell whether the text
 * begins and ends with a line; otherwise a match at its edge is skipped. Throws `NotAscii`.
 */
export function findLiteral(
  text: Buffer,
  { bytes, endsWord, startsWord }: LiteralText,
  from: number,
  { isEnd, isStart }: { isStart: boolean; isEnd: boolean } = { isStart: true, isEnd: true },
): number {
  for (let at = text.indexOf(bytes, from); at !== -1; at = text.indexOf(bytes, at + 1)) {
    const end = at + bytes.length;
    if (startsWord && (at === 0 ? !isStart : isInWord(text[at - 1]!))) continue;
    if (endsWord && (end === text.length ? !isEnd : isInWord(text[end]!))) continue;
    return at;
  }
  return -1;
}

/** Whether no word character precedes or follows; every character beyond ASCII counts as one. */
export function isWholeWord(text: Buffer, from: number, to: number): boolean {
  const isPart = (byte: number | undefined) => byte !== undefined && (byte >= 0x80 || isAsciiWord(byte));
  return !isPart(text[from - 1]) && !isPart(text[to]);
}

function isInWord(byte: number): boolean {
  if (byte >= 0x80) throw new NotAscii();
  return isAsciiWord(byte);
}

function isAsciiWord(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x5f
  );
}
