/** How high a row is before it is measured. Lines that surely fit are never measured. Pure. */
import type { DiffLine } from './diff-lines.ts';
import type { ChangedFile } from './diff-types.ts';
import type { FileRow } from './file-rows.ts';

export const LINE_HEIGHT = 20;
/** Between two files. */
export const SPACE_ABOVE_FILE = 12;
export const FILE_HEADER_HEIGHT = 44;
const GAP_HEIGHT = 32;
const NOTICE_HEIGHT = 64;
const CARD_HEIGHT = 180;
const CONTENT_HEIGHTS = { images: 264, links: 88, submodule: 120 };
const TAB_WIDTH = 4;

/** Only printable ASCII and tabs have the width of one column, or a known one. */
const PLAIN = /^[\t\u0020-\u007e]*$/;

export function heightOf(row: FileRow, file: ChangedFile, lettersALine: number): number {
  switch (row.type) {
    case 'header':
      return SPACE_ABOVE_FILE + FILE_HEADER_HEIGHT;
    case 'line':
      return LINE_HEIGHT * Math.max(linesFor(row.left, lettersALine), linesFor(row.right, lettersALine));
    case 'gap':
      return GAP_HEIGHT;
    case 'card':
      return CARD_HEIGHT;
    case 'content':
      return CONTENT_HEIGHTS[row.content.kind];
    case 'loading':
      return LINE_HEIGHT * Math.min(2000, (file.added ?? 0) + (file.deleted ?? 0) + 8);
    default:
      return NOTICE_HEIGHT;
  }
}

/** Whether the row can have another height than estimated. */
export function isMeasured(row: FileRow, lettersALine: number): boolean {
  if (row.type === 'line') return [row.left, row.right].some((line) => line && !fits(line, lettersALine));
  return row.type === 'card' || row.type === 'content' || row.type === 'notice' || row.type === 'failed';
}

function linesFor(line: DiffLine | undefined, lettersALine: number): number {
  return line ? Math.max(1, Math.ceil(widthOf(line.text) / lettersALine)) : 1;
}

/** Whether it surely fits in one line. */
function fits({ isUnterminated, text }: DiffLine, lettersALine: number): boolean {
  return !isUnterminated && text.length < lettersALine && widthOf(text) < lettersALine && PLAIN.test(text);
}

/** In columns; a tab ends at the next tab stop. */
function widthOf(text: string): number {
  let width = 0;
  let from = 0;
  for (let at = text.indexOf('\t'); at >= 0; at = text.indexOf('\t', from)) {
    width += at - from;
    width += TAB_WIDTH - (width % TAB_WIDTH);
    from = at + 1;
  }
  return width + text.length - from;
}
