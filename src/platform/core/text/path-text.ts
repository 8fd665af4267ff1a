/** Paths as text: unchanged when they are valid UTF-8, otherwise in git's quoted form, so that every path has a text form. */
import { isUtf8 } from 'node:buffer';

const SHORT_ESCAPES: Record<number, string> = {
  7: 'a',
  8: 'b',
  9: 't',
  10: 'n',
  11: 'v',
  12: 'f',
  13: 'r',
  34: '"',
  92: '\\',
};
const FROM_SHORT = new Map(Object.entries(SHORT_ESCAPES).map(([byte, letter]) => [letter, Number(byte)]));

/** Control characters, which would break a line-based list of paths. */
const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]/;

export function showPath(path: Buffer): string {
  return isUtf8(path) && !looksQuoted(path) ? path.toString() : quote(path);
}

/** For line-based output: control characters are quoted too, so that a path stays on one line. */
export function showPathOnLine(path: string): string {
  return CONTROL.test(path) ? quote(readPath(path)) : path;
}

export function readPath(text: string): Buffer {
  const path = Buffer.from(text);
  return looksQuoted(path) ?? path;
}

/** A path as git prints it: in quotes when it has bytes that aren't printable ASCII, a quote or a backslash. */
export function readGitPath(text: string): Buffer {
  return (/^".*"$/s.test(text) && unquote(text.slice(1, -1))) || Buffer.from(text);
}

/** The path that `readPath` would read instead if this one were passed literally; undefined when it is read as itself. */
function looksQuoted(path: Buffer): Buffer | undefined {
  const bytes = /^"(.*)"$/s.exec(path.toString());
  const unquoted = bytes ? unquote(bytes[1]!) : undefined;
  return unquoted && (!isUtf8(unquoted) || CONTROL.test(unquoted.toString()) || looksQuoted(unquoted))
    ? unquoted
    : undefined;
}

function quote(path: Buffer): string {
  let quoted = '"';
  for (const byte of path) {
    if (SHORT_ESCAPES[byte] !== undefined) quoted += `\\${SHORT_ESCAPES[byte]}`;
    else if (byte < 32 || byte >= 127) quoted += `\\${byte.toString(8).padStart(3, '0')}`;
    else quoted += String.fromCharCode(byte);
  }
  return `${quoted}"`;
}

function unquote(text: string): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; at < text.length; ) {
    const escaped = /\\(?:([0-3][0-7]{2})|([abtnvfr"\\]))/y;
    escaped.lastIndex = at;
    const match = escaped.exec(text);
    if (match) {
      parts.push(Buffer.from([match[1] ? Number.parseInt(match[1], 8) : FROM_SHORT.get(match[2]!)!]));
      at += match[0].length;
    } else if (text[at] === '\\' || text[at] === '"') {
      return undefined;
    } else {
      const character = String.fromCodePoint(text.codePointAt(at)!);
      parts.push(Buffer.from(character));
      at += character.length;
    }
  }
  return Buffer.concat(parts);
}
