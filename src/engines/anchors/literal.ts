/** Finds literal copies of a quote in another text, and picks the copy with the most similar context. */
import type { Range } from './range.ts';
import { cutsCharacter, isBetweenWords } from './words.ts';

/** How many characters on each side are compared. */
export const CONTEXT_LENGTH = 64;

/** Beyond this number, the copies of a quote can't be told apart. */
const MAX_COPIES = 2000;

/** The built-in search gets only this much of a quote, because it is quadratic for hostile texts. */
const HEAD_LENGTH = 64;
const MAX_COMPARED = 5_000_000;

/** The first occurrences of the quote in `text[from..to)` that don't split a character. */
export function occurrences(text: string, quote: string, from = 0, to = text.length): Range[] {
  const head = quote.slice(0, HEAD_LENGTH);
  const places: Range[] = [];
  let compared = 0;
  for (let at = text.indexOf(head, from); at >= 0; at = text.indexOf(head, at + 1)) {
    const end = at + quote.length;
    if (end > to || places.length >= MAX_COPIES || compared > MAX_COMPARED) break;
    compared += quote.length;
    if (text.startsWith(quote, at) && !cutsCharacter(text, at) && !cutsCharacter(text, end)) {
      places.push({ start: at, end });
    }
  }
  return places;
}

/** Like `occurrences` for a quote from another text: a word doesn't match inside a longer one, unless the quote itself splits words. */
export function copiesOf(before: string, quoted: Range, text: string, from: number, to: number): Range[] {
  const wholeStart = isBetweenWords(before, quoted.start);
  const wholeEnd = isBetweenWords(before, quoted.end);
  return occurrences(text, before.slice(quoted.start, quoted.end), from, to).filter(
    ({ start, end }) =>
      (!wholeStart || isBetweenWords(text, start)) && (!wholeEnd || isBetweenWords(text, end)),
  );
}

/** How many characters around the two ranges are the same. */
export function contextAgreement(before: string, quoted: Range, text: string, copy: Range): number {
  let behind = 0;
  while (
    behind < CONTEXT_LENGTH &&
    behind < quoted.start &&
    behind < copy.start &&
    before.charCodeAt(quoted.start - 1 - behind) === text.charCodeAt(copy.start - 1 - behind)
  ) {
    behind += 1;
  }
  let ahead = 0;
  while (
    ahead < CONTEXT_LENGTH &&
    quoted.end + ahead < before.length &&
    copy.end + ahead < text.length &&
    before.charCodeAt(quoted.end + ahead) === text.charCodeAt(copy.end + ahead)
  ) {
    ahead += 1;
  }
  return behind + ahead;
}

/** The copy with the most similar context; if several are equal, the nearest to the expected position. */
export function mostSimilarCopy(
  before: string,
  quoted: Range,
  text: string,
  copies: readonly Range[],
  expected: number,
): { copy: Range; agreement: number } | undefined {
  let best: { copy: Range; agreement: number; distance: number } | undefined;
  for (const copy of copies) {
    const agreement = contextAgreement(before, quoted, text, copy);
    const distance = Math.abs(copy.start - expected);
    if (!best || agreement > best.agreement || (agreement === best.agreement && distance < best.distance)) {
      best = { copy, agreement, distance };
    }
  }
  return best;
}
