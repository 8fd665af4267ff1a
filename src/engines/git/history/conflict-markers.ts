/**
 * Finds the lines with which git marks conflicts. Nothing is kept but where they are, and no line is looked at alone: a file of a million
 * short lines takes a few milliseconds. Pure.
 */

export interface Marker {
  sign: '<' | '=' | '>';
  start: number;
  /** After its line break. */
  end: number;
}

const SIGNS = ['<', '=', '>'] as const;
const [LINE_FEED, RETURN, SPACE, EQUALS] = [0x0a, 0x0d, 0x20, 0x3d];
/** Short, so that searching stays fast whatever a file contains; what is found is then compared. */
const SEARCHED_SIGNS = 32;

/** `size` is the number of signs, more than are searched; names follow those of the start and the end. */
export function findMarkers(content: Buffer, size: number): Marker[] {
  const markers: Marker[] = [];
  for (const sign of SIGNS) {
    const signs = Buffer.from(sign.repeat(size));
    const searched = Buffer.from(`\n${sign.repeat(SEARCHED_SIGNS)}`);
    let found = -1;
    do {
      const start = found + 1;
      const end = markerEnd(content, start, signs);
      if (end !== null) markers.push({ sign, start, end });
      found = content.indexOf(searched, start);
    } while (found !== -1);
  }
  return markers.sort((one, other) => one.start - other.start);
}

/** After the line that begins at `start`; null if it isn't a marker. */
function markerEnd(content: Buffer, start: number, signs: Buffer): number | null {
  for (let index = 0; index < signs.length; index += 1)
    if (content[start + index] !== signs[index]) return null;
  const after = start + signs.length;
  const isMarker = signs[0] === EQUALS ? isLineEnd(content, after) : content[after] === SPACE;
  if (!isMarker) return null;
  const end = content.indexOf(LINE_FEED, after);
  return end === -1 ? content.length : end + 1;
}

function isLineEnd(content: Buffer, at: number): boolean {
  return (
    at === content.length ||
    content[at] === LINE_FEED ||
    (content[at] === RETURN && content[at + 1] === LINE_FEED)
  );
}

/** The first lines, without their line breaks, each cut. */
export function firstLines(content: Buffer, count: number, characters: number): string[] {
  const lines: string[] = [];
  for (let start = 0; start < content.length && lines.length < count; ) {
    const found = content.indexOf(LINE_FEED, start);
    const end = found === -1 ? content.length : found;
    lines.push(lineOf(content, start, end, characters));
    start = end + 1;
  }
  return lines;
}

/** The last lines, without their line breaks, each cut. */
export function lastLines(content: Buffer, count: number, characters: number): string[] {
  const lines: string[] = [];
  let end = content.length;
  if (end > 0 && content[end - 1] === LINE_FEED) end -= 1;
  else if (end === 0) return lines;
  while (lines.length < count && end >= 0) {
    const start = end === 0 ? 0 : content.lastIndexOf(LINE_FEED, end - 1) + 1;
    lines.unshift(lineOf(content, start, end, characters));
    end = start - 1;
  }
  return lines;
}

const MAX_BYTES_OF_CHARACTER = 4;

function lineOf(content: Buffer, start: number, end: number, characters: number): string {
  const isWhole = end - start <= characters * MAX_BYTES_OF_CHARACTER;
  const line = content.toString('utf8', start, isWhole ? end : start + characters * MAX_BYTES_OF_CHARACTER);
  return (isWhole && line.endsWith('\r') ? line.slice(0, -1) : line).slice(0, characters);
}
