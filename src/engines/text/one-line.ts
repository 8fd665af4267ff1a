/** Turns untrusted Markdown into one line of plain text, without invisible, bidirectional or line-breaking characters. */
import { plainText } from './inline-text.ts';
import { splitWords } from './words.ts';

/** All white space and control characters. */
const GAPS = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu;
/**
 * Invisible characters that affect the display: direction overrides, zero-width spaces, tags, fillers. Joiners and
 * variation selectors are kept, because scripts and emoji need them.
 */
const UNSEEN = /(?!\u200c|\u200d|[\ufe00-\ufe0f])(?:\p{Default_Ignorable_Code_Point}|\p{Cf})/gu;
const SEEN = /(?!\p{Default_Ignorable_Code_Point}|\u2800)[\p{L}\p{N}\p{P}\p{S}]/u;
/** The lines around a code block, with its language. */
const FENCES = /^ {0,3}(?:`{3,}[^`\n]*|~{3,}[^\n]*)$/gm;
const ELLIPSIS = '…';

/** At most `maxCharacters` code points, truncated at a word boundary if possible; empty if nothing is visible. */
export function oneLine(markdown: string, maxCharacters: number): string {
  // Anything beyond this is truncated anyway, unless nearly all of it is markup.
  const beginning = markdown.slice(0, maxCharacters * 20).replace(FENCES, '');
  const line = plainText(beginning.toWellFormed().replace(GAPS, ' ').replace(UNSEEN, ''))
    .replace(GAPS, ' ')
    .trim();
  return SEEN.test(line) ? cut(line, maxCharacters) : '';
}

function cut(line: string, maxCharacters: number): string {
  if (line.length <= maxCharacters || codePoints(line) <= maxCharacters) return line;
  let left = maxCharacters - ELLIPSIS.length;
  let end = 0;
  let gap = 0;
  for (const piece of splitWords(line)) {
    const length = codePoints(piece);
    if (length > left) {
      end = gap * 2 > end ? gap : end + boundaryBefore(piece, left);
      break;
    }
    left -= length;
    end += piece.length;
    if (piece === ' ') gap = end;
  }
  return line.slice(0, end).trimEnd() + ELLIPSIS;
}

/** Where to truncate a word that is longer than the line, without splitting a grapheme. */
function boundaryBefore(word: string, codePointsLeft: number): number {
  let end = 0;
  let left = codePointsLeft;
  for (const { segment } of new Intl.Segmenter().segment(word.slice(0, codePointsLeft * 2))) {
    left -= codePoints(segment);
    if (left < 0) break;
    end += segment.length;
  }
  return end;
}

function codePoints(text: string): number {
  if (text.length < 2) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
