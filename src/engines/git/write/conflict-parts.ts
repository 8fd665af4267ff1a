/**
 * Splits a file that git merged with conflict markers, and puts it together again as a person resolved it. Pure. Contents stay bytes, so
 * that what nobody edits stays as it is, and a file of a million short lines takes no more memory than its size.
 */
import { isUtf8 } from 'node:buffer';
import type { EditableHunk, HunkResolution } from '../../../platform/core/ports/code-writer.ts';
import { findMarkers, firstLines, lastLines } from '../history/conflict-markers.ts';

/** No line of a file is taken for one of these, which also name the commits. */
export const RESOLVE_MARKER_SIZE = 211;
const [LINE_FEED, RETURN] = [0x0a, 0x0d];
const CONTEXT_LINES = 3;
const CONTEXT_CHARACTERS = 400;
/** A character of a string comes from at most so many. */
const MAX_BYTES_OF_CHARACTER = 3;

export interface ConflictPart {
  /** As in the branch that is merged into. */
  head: Buffer;
  base: Buffer;
  /** As the head has it. */
  lineBreak: '\n' | '\r\n';
}
export type FilePart = Buffer | ConflictPart;

/** How much may still be shown, in all files together. */
export interface HunkRoom {
  hunks: number;
  characters: number;
  lines: number;
}

/**
 * The parts are of `content` itself. Null if the markers are not as git writes them; without a conflict if there are none. `on` and
 * `other` are the commits, as git was given them.
 */
export function splitConflicts(
  content: Buffer,
  { on, other }: { on: string; other: string },
): FilePart[] | null {
  const parts: FilePart[] = [];
  /** Where what is not yet in a part begins. */
  let from = 0;
  let conflict: ConflictPart | undefined;
  let side: 'head' | 'base' = 'head';
  for (const { end, sign, start } of findMarkers(content, RESOLVE_MARKER_SIZE)) {
    const named = start + RESOLVE_MARKER_SIZE + 1;
    const isNamed = (id: string) => content.toString('latin1', named, named + id.length) === id;
    if (sign === '<' && isNamed(on)) {
      if (conflict) return null;
      if (from < start) parts.push(content.subarray(from, start));
      const empty = content.subarray(end, end);
      conflict = { head: empty, base: empty, lineBreak: '\n' };
      side = 'head';
    } else if (sign === '=' && conflict) {
      if (side === 'base') return null;
      conflict.head = content.subarray(from, start);
      side = 'base';
    } else if (sign === '>' && conflict && isNamed(other)) {
      if (side === 'head') return null;
      conflict.base = content.subarray(from, start);
      const before = parts.at(-1);
      conflict.lineBreak =
        lineBreakOf(conflict.head, conflict.head.indexOf(LINE_FEED)) ??
        (Buffer.isBuffer(before) ? lineBreakOf(before, before.length - 1) : undefined) ??
        lineBreakOf(conflict.base, conflict.base.indexOf(LINE_FEED)) ??
        '\n';
      parts.push(conflict);
      conflict = undefined;
    } else continue;
    from = end;
  }
  if (conflict) return null;
  if (from < content.length) parts.push(content.subarray(from));
  return parts;
}

function lineBreakOf(content: Buffer, at: number): ConflictPart['lineBreak'] | undefined {
  if (content[at] !== LINE_FEED) return undefined;
  return content[at - 1] === RETURN ? '\r\n' : '\n';
}

/** git ends every line of a conflict, also one at the end of a file that has no line break there. Takes the last bytes of the files. */
export function endLikeFiles(
  parts: readonly FilePart[],
  last: { head: number | undefined; base: number | undefined },
): void {
  const part = parts.at(-1);
  if (!part || Buffer.isBuffer(part)) return;
  for (const side of ['head', 'base'] as const) {
    const content = part[side];
    if (last[side] === undefined || last[side] === LINE_FEED || content.at(-1) !== LINE_FEED) continue;
    const isLong = content.at(-2) === RETURN && last[side] !== RETURN;
    part[side] = content.subarray(0, isLong ? -2 : -1);
  }
}

export function hasConflict(parts: readonly FilePart[]): boolean {
  return parts.some((part) => !Buffer.isBuffer(part));
}

/** Or why they can't be shown and edited as text. Takes what they need from the room. */
export function editableHunks(
  parts: readonly FilePart[],
  room: HunkRoom,
): EditableHunk[] | 'not_text' | 'too_large' {
  const isText = parts.every(
    (part) => Buffer.isBuffer(part) || (mayBeText(part.head) && mayBeText(part.base)),
  );
  if (!isText) return 'not_text';
  const hunks: EditableHunk[] = [];
  for (const [index, part] of parts.entries()) {
    if (Buffer.isBuffer(part)) continue;
    room.hunks -= 1;
    // Text that can't fit isn't even decoded.
    const least = Math.ceil((part.head.length + part.base.length) / MAX_BYTES_OF_CHARACTER);
    if (room.characters < least) room.characters = -1;
    if (!hasRoom(room)) return 'too_large';
    const [head, base] = [editableText(part.head), editableText(part.base)];
    if (head === null || base === null) return 'not_text';
    room.characters -= head.length + base.length;
    room.lines -= lineBreaksIn(head) + lineBreaksIn(base);
    if (!hasRoom(room)) return 'too_large';
    const [before, after] = [parts[index - 1], parts[index + 1]];
    hunks.push({ before: contextOf(before, lastLines), head, base, after: contextOf(after, firstLines) });
  }
  return hunks;
}

/** Null unless there is a resolution for each conflict. */
export function joinResolved(
  parts: readonly FilePart[],
  resolutions: readonly HunkResolution[],
): Buffer | null {
  let next = 0;
  const joined: Buffer[] = [];
  for (const part of parts) {
    if (Buffer.isBuffer(part)) {
      joined.push(part);
      continue;
    }
    const resolution = resolutions[next];
    next += 1;
    if (!resolution) return null;
    joined.push(resolve(part, resolution));
  }
  return next === resolutions.length ? Buffer.concat(joined) : null;
}

function resolve({ base, head, lineBreak }: ConflictPart, resolution: HunkResolution): Buffer {
  if ('take' in resolution) {
    const between = isOpen(head) && base.length > 0 ? Buffer.from(lineBreak) : Buffer.alloc(0);
    return { head, base, both: Buffer.concat([head, between, base]) }[resolution.take];
  }
  const text = resolution.text.replaceAll(/\r\n?/g, '\n');
  // If a side has no line break at the end of the file, an edited text keeps its own ending.
  const isEnded = text === '' || text.endsWith('\n') || isOpen(head) || isOpen(base);
  return Buffer.from((isEnded ? text : `${text}\n`).replaceAll('\n', lineBreak));
}

function isOpen(side: Buffer): boolean {
  return side.length > 0 && side.at(-1) !== LINE_FEED;
}

function hasRoom({ characters, hunks, lines }: HunkRoom): boolean {
  return Math.min(characters, hunks, lines) >= 0;
}

function mayBeText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

/** With plain line breaks, which all that a browser edits has. */
function editableText(bytes: Buffer): string | null {
  const text = bytes.toString().replaceAll('\r\n', '\n');
  return text.includes('\r') ? null : text;
}

function contextOf(part: FilePart | undefined, take: typeof firstLines): string[] {
  if (!Buffer.isBuffer(part)) return [];
  return take(part, CONTEXT_LINES, CONTEXT_CHARACTERS).map((line) => line.replaceAll('\0', ''));
}

function lineBreaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
