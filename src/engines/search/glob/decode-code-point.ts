/** Decodes one character of a path; a byte that isn't part of valid UTF-8 counts as one character. */

/** Above all code points: `INVALID + byte` represents an invalid byte. */
const INVALID = 0x11_0000;

export function decodeCodePoint(bytes: Uint8Array, at: number, end: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return lead;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || at + length > end) return INVALID + lead;
  let codePoint = lead & (0xff >> (length + 1));
  for (let index = at + 1; index < at + length; index += 1) {
    const byte = bytes[index]!;
    if ((byte & 0xc0) !== 0x80) return INVALID + lead;
    codePoint = (codePoint << 6) | (byte & 0x3f);
  }
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  const isOverlong = encodedLength(codePoint) !== length;
  return isSurrogate || isOverlong ? INVALID + lead : codePoint;
}

/** The encoded length of a character returned by `decodeCodePoint`. */
export function encodedLength(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  if (codePoint < 0x1_0000) return 3;
  return codePoint < INVALID ? 4 : 1;
}
