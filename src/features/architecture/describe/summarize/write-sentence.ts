/** Sentences of a summary: a claim, the few things it names, and the places that show it. */
import type { Sentence } from '../summary-row.ts';

/** Nobody reads a longer list. */
export const MAX_NAMES = 8;
/** Names beyond those that are shown still find the repository. */
const MAX_FOUND_NAMES = 120;
const MAX_FOUND_CHARACTERS = 1800;
const MAX_NAME_CHARACTERS = 200;
const MAX_EVIDENCE = 8;

export interface Place {
  path: string;
  line: number;
}

export interface Listed {
  text: string;
  place: Place;
}

/**
 * Null without evidence: such a claim is dropped. At most eight things are named: when there are more, the sentence begins with
 * `some`, which says so, such as `It defines tables such as `.
 */
export function listSentence(
  all: string,
  things: readonly Listed[],
  options: { some?: string; after?: string; separator?: string; isMain?: boolean } = {},
): Sentence | null {
  const { after = '.', isMain, separator = ', ', some = `${all}among others ` } = options;
  const nameable = things.filter(({ text }) => text.length <= MAX_NAME_CHARACTERS && !/\p{Cc}/u.test(text));
  const shown = nameable.slice(0, MAX_NAMES);
  if (shown.length === 0) return null;
  const before = things.length > shown.length ? some : all;
  const alsoFound = restOf(nameable.slice(MAX_NAMES));
  return {
    text: `${before}${shown.map(({ text }) => text).join(separator)}${after}`,
    evidence: placesOf(shown),
    ...(isMain && { isMain }),
    ...(alsoFound !== '' && { alsoFound }),
  };
}

/** A sentence that names some things, and never says that there are no others: ways to write them that we don't know are not found. */
export function someSentence(before: string, things: readonly Listed[]): Sentence | null {
  return listSentence(before, things, { some: before });
}

function restOf(things: readonly Listed[]): string {
  let rest = '';
  for (const { text } of things.slice(0, MAX_FOUND_NAMES)) {
    if (rest.length + text.length > MAX_FOUND_CHARACTERS) break;
    rest += ` ${text}`;
  }
  return rest;
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

/** `3 tables`, `1 table`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? noun : `${noun}s`}`;
}

/** One line without control characters, at most this long. */
export function plainText(text: string, maxCharacters: number): string {
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  if (line.length <= maxCharacters) return line;
  const cut = line.slice(0, maxCharacters - 1);
  const word = cut.lastIndexOf(' ');
  return `${(word > maxCharacters / 2 ? cut.slice(0, word) : cut).toWellFormed().trimEnd()}…`;
}
