/**
 * Locates a quote from one version of a text in another version. Pure.
 *
 * Invariants: for `exact` and `moved`, the new text is literally the quote; ranges lie within the new text and don't split
 * a character; a quote whose lines did not change is `exact`.
 */
import { plainText } from '../text/index.ts';
import { type Anchor, findQuote } from './anchor.ts';
import type { TextComparison } from './compare-texts.ts';
import { headingsAbove, headingText } from './headings.ts';
import { locate } from './locate.ts';
import type { Range } from './range.ts';
import { wholeCharacters } from './words.ts';

export { compareTexts, type TextComparison } from './compare-texts.ts';

export type Placement =
  /** The same text: `exact` between the same neighbors, `moved` elsewhere. */
  | { result: 'exact' | 'moved'; start: number; end: number }
  /** The changed text: different words, or the same words with different white space. */
  | { result: 'edited'; start: number; end: number; oldText: string; newText: string }
  /** The text is gone. `heading` is the nearest heading above its old position that still exists. */
  | { result: 'orphaned'; heading: string | null };

export function portAnchor(place: Range | Anchor, comparison: TextComparison): Placement {
  const { before, after } = comparison;
  const range =
    'quote' in place ? findQuote(place, before, comparison.beforeBlocks) : wholeCharacters(before, place);
  if (!range)
    return { result: 'orphaned', heading: 'quote' in place ? sameHeading(place, comparison) : null };
  const found = locate(range, comparison);
  if (!found) return { result: 'orphaned', heading: remainingHeading(range.start, comparison) };
  const { start, end } = wholeCharacters(after, found);
  const oldText = before.slice(range.start, range.end);
  const newText = after.slice(start, end);
  if (newText === oldText) return { result: found.inPlace ? 'exact' : 'moved', start, end };
  return { result: 'edited', start, end, oldText, newText };
}

/** Whether an edit only rewrapped or reindented the text, without changing a word. */
export function differsInWhiteSpaceOnly(oldText: string, newText: string): boolean {
  return oldText.replace(/\s+/g, '') === newText.replace(/\s+/g, '');
}

function remainingHeading(place: number, comparison: TextComparison): string | null {
  const remaining = comparison.newHeadings();
  for (const block of headingsAbove(comparison.beforeBlocks(), place)) {
    const text = headingText(comparison.before, block);
    if (remaining.has(text)) return text;
    const renamed = locate({ start: block.textStart, end: block.textEnd }, comparison);
    if (!renamed) continue;
    const now = comparison
      .afterBlocks()
      .find(({ kind, start, end }) => kind === 'heading' && start <= renamed.start && renamed.end <= end);
    if (now) return headingText(comparison.after, now);
  }
  return null;
}

function sameHeading({ heading }: Anchor, comparison: TextComparison): string | null {
  const text = plainText(heading ?? '');
  return comparison.newHeadings().has(text) ? text : null;
}
