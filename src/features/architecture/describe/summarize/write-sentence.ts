/** Sentences of a summary: a claim, the things it lists as far as they fit, and the places that show it. */
import type { Sentence } from '../summary-row.ts';

export const MAX_SENTENCE_CHARACTERS = 900;
const MAX_EVIDENCE = 8;

export interface Place {
  path: string;
  line: number;
}

export interface Listed {
  text: string;
  place: Place;
}

/** Null without evidence: such a claim is dropped. Lists are cut where they become too long, and say how many more there are. */
export function listSentence(
  before: string,
  things: readonly Listed[],
  options: { after?: string; maxItems?: number; maxCharacters?: number; isMain?: boolean } = {},
): Sentence | null {
  const { after = '.', maxCharacters = MAX_SENTENCE_CHARACTERS, maxItems = 60 } = options;
  const shown: string[] = [];
  let length = before.length + after.length + 20;
  for (const { text } of things) {
    if (shown.length === maxItems || length + text.length + 2 > maxCharacters) break;
    shown.push(text);
    length += text.length + 2;
  }
  if (shown.length === 0) return null;
  const more = things.length - shown.length;
  const list = more > 0 ? `${shown.join(', ')} and ${count(more, 'more')}` : shown.join(', ');
  const sentence = { text: `${before}${list}${after}`, evidence: placesOf(things) };
  return options.isMain ? { ...sentence, isMain: true } : sentence;
}

export function placesOf(things: readonly Listed[]): Place[] {
  const seen = new Set<string>();
  const places: Place[] = [];
  for (const { place } of things) {
    const key = `${place.path}:${place.line}`;
    if (seen.has(key)) continue;
    seen.add(key);
    places.push({ path: place.path, line: place.line });
    if (places.length === MAX_EVIDENCE) break;
  }
  return places;
}

/** `3 tables`, `1 table`, `5 more`. */
export function count(number: number, noun: string): string {
  const plural = noun === 'more' ? noun : number === 1 ? noun : `${noun}s`;
  return `${number.toLocaleString('en-US')} ${plural}`;
}

/** One line without control characters, at most this long. */
export function plainText(text: string, maxCharacters: number): string {
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  if (line.length <= maxCharacters) return line;
  const cut = line.slice(0, maxCharacters - 1);
  const word = cut.lastIndexOf(' ');
  return `${(word > maxCharacters / 2 ? cut.slice(0, word) : cut).toWellFormed().trimEnd()}…`;
}
