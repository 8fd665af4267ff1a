/** How high a row is before it is measured. Lines that surely fit are never measured. Pure. */
import type { DiffLine } from './diff-lines.ts';
import type { ChangedFile } from './diff-types.ts';
import type { FileRow } from './file-rows.ts';

export const LINE_HEIGHT = 20;
/** With the space above it. */
export const HEADER_HEIGHT = 56;
const GAP_HEIGHT = 32;
const NOTICE_HEIGHT = 64;
const CARD_HEIGHT = 180;
const TAB_WIDTH = 4;

/** Only printable ASCII and tabs have the width of one column, or a known one. */
const PLAIN = /^[\t\u0020-\u007e]*$/;

export function heightOf(row: FileRow, file: ChangedFile, lettersALine: number): number {
  switch (row.type) {
    case 'header':
      return HEADER_HEIGHT;
    case 'line':
      return LINE_HEIGHT * Math.max(linesFor(row.left, lettersALine), linesFor(row.right, lettersALine));
    case 'gap':
      return GAP_HEIGHT;
    case 'card':
      return CARD_HEIGHT;
    case 'loading':
      return LINE_HEIGHT * Math.min(2000, (file.added ?? 0) + (file.deleted ?? 0) + 8);
    default:
      return NOTICE_HEIGHT;
  }
}

/** Whether the row can have another height than estimated. */
export function isMeasured(row: FileRow, lettersALine: number): boolean {
  if (row.type === 'line') return ![row.left, row.right].every((line) => fits(line, lettersALine));
  return row.type === 'card' || row.type === 'notice' || row.type === 'failed';
}

function linesFor(line: DiffLine | undefined, lettersALine: number): number {
  return line ? Math.max(1, Math.ceil(widthOf(line.text) / lettersALine)) : 1;
}

function fits(line: DiffLine | undefined, lettersALine: number): boolean {
  return !line || (widthOf(line.text) <= lettersALine && PLAIN.test(line.text) && !line.isUnterminated);
}

function widthOf(text: string): number {
  let tabs = 0;
  for (let at = text.indexOf('\t'); at >= 0; at = text.indexOf('\t', at + 1)) tabs += 1;
  return text.length + tabs * (TAB_WIDTH - 1);
}
