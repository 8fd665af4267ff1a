/** The beginning of a comment as one line of plain text. */
import { oneLine } from '../../engines/text/index.ts';
import { EXCERPT_CHARACTERS } from './contract.ts';

/** How much of the comment to read, so that the excerpt is full even if much of it is markup. */
export const EXCERPT_SOURCE_CHARACTERS = EXCERPT_CHARACTERS * 5;

/** The title of a finding: a paragraph of bold text only. */
const TITLE = /^\*\*([^\n]*[^\n.!?:])\*\*[ \t]*\n[ \t]*\n/;
/** Headings, quotes, lists and task boxes. */
const BLOCK_MARKS = /^[ \t]*(?:(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]?)+(?:\[[ xX]\][ \t]+)?/gm;

export function excerptOf(markdown: string): string | null {
  return oneLine(markdown.replace(TITLE, '$1 · ').replace(BLOCK_MARKS, ''), EXCERPT_CHARACTERS) || null;
}
