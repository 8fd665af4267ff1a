/**
 * Splits a file that git merged with conflict markers, and puts it together again as a person resolved it. Pure. Contents are strings with
 * one character per byte, so that what nobody edits stays as it is.
 */
import { isUtf8 } from 'node:buffer';
import type { EditableHunk, HunkResolution } from '../../../platform/core/ports/code-writer.ts';

/** No line of a file is taken for one of these, which also name the commits. */
export const RESOLVE_MARKER_SIZE = 211;
const CONTEXT_LINES = 3;
const CONTEXT_CHARACTERS = 400;

export interface ConflictPart {
  /** As in the branch that is merged into. */
  head: string;
  base: string;
  lineBreak: '\n' | '\r\n';
}
export type FilePart = string | ConflictPart;

/** Null if the markers are not as git writes them. `on` and `other` are the commits, as git was given them. */
export function splitConflicts(
  text: string,
  { on, other }: { on: string; other: string },
): FilePart[] | null {
  const marker = (sign: string) => sign.repeat(RESOLVE_MARKER_SIZE);
  const [start, middle, end] = [`${marker('<')} ${on}`, marker('='), `${marker('>')} ${other}`];
  const parts: FilePart[] = [];
  let same = '';
  let conflict: ConflictPart | undefined;
  let side: 'head' | 'base' = 'head';
  for (const line of text.split(/(?<=\n)/)) {
    if (line.startsWith(start)) {
      if (conflict) return null;
      if (same !== '') parts.push(same);
      same = '';
      side = 'head';
      conflict = { head: '', base: '', lineBreak: line.endsWith('\r\n') ? '\r\n' : '\n' };
    } else if (conflict && line.startsWith(middle)) {
      if (side === 'base') return null;
      side = 'base';
    } else if (conflict && line.startsWith(end)) {
      if (side === 'head') return null;
      parts.push(conflict);
      conflict = undefined;
    } else if (conflict) conflict[side] += line;
    else same += line;
  }
  if (conflict) return null;
  if (same !== '') parts.push(same);
  return parts.some((part) => typeof part !== 'string') ? parts : null;
}

/** Null if a side can't be shown and edited as text. */
export function editableHunks(parts: readonly FilePart[]): EditableHunk[] | null {
  const hunks: EditableHunk[] = [];
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') continue;
    const [head, base] = [editableText(part.head), editableText(part.base)];
    if (head === null || base === null) return null;
    const [before, after] = [parts[index - 1], parts[index + 1]];
    hunks.push({
      before: contextOf(before).slice(-CONTEXT_LINES),
      head,
      base,
      after: contextOf(after).slice(0, CONTEXT_LINES),
    });
  }
  return hunks;
}

/** Null unless there is a resolution for each conflict. */
export function joinResolved(
  parts: readonly FilePart[],
  resolutions: readonly HunkResolution[],
): string | null {
  let next = 0;
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const resolution = resolutions[next];
    next += 1;
    if (!resolution) return null;
    text += resolve(part, resolution);
  }
  return next === resolutions.length ? text : null;
}

function resolve({ base, head, lineBreak }: ConflictPart, resolution: HunkResolution): string {
  if ('take' in resolution) return { head, base, both: head + base }[resolution.take];
  const text = resolution.text.replaceAll(/\r\n?/g, '\n');
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return bytesOf(ended.replaceAll('\n', lineBreak));
}

/** With plain line breaks, which all that a browser edits has. */
function editableText(bytes: string): string | null {
  const buffer = Buffer.from(bytes, 'latin1');
  if (!isUtf8(buffer) || bytes.includes('\0')) return null;
  const text = buffer.toString().replaceAll('\r\n', '\n');
  return text.includes('\r') ? null : text;
}

function contextOf(part: FilePart | undefined): string[] {
  if (typeof part !== 'string') return [];
  const lines = Buffer.from(part, 'latin1').toString().split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => line.slice(0, CONTEXT_CHARACTERS).replaceAll('\0', ''));
}

function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}
