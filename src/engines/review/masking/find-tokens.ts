/** Every token in a text, however long it is: what masking hides. Never blocks the thread for long. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { findSecretValues, SHOWN_CHARACTERS } from '../checks/secrets.ts';

/** Searched at once; takes milliseconds. Parts overlap by more than the longest token in one line. */
const PART_CHARACTERS = 12_000;
const OVERLAP_CHARACTERS = 4000;
const KEY_BEGINNING = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/g;
/** The end of a private key is looked for this far. */
const MAX_KEY_CHARACTERS = 20_000;
/** Between the parts of a key: line breaks, also written as `\n`, and what surrounds them in a string or comment. */
const BETWEEN_KEY_PARTS = /(?:\\[nr]|[\s"'`,;])+/;
const KEY_PART = /^[A-Za-z0-9+/]+={0,2}$/;
/** Shorter ends of a key tell nothing, and could be words. */
const MIN_KEY_PART = 16;
/** Texts without a token are searched once: a code host sends the same comments again and again. */
const MAX_CLEAN = 20_000;
const clean = new Set<string>();

/** Every token has this: prose costs nothing. */
const MAY_HOLD_TOKEN = /\S{16}|:\/\//;

/** The longest first, so that no part of one that contains another is left. */
export async function findTokens(text: string): Promise<string[]> {
  if (!MAY_HOLD_TOKEN.test(text)) return [];
  const id = createHash('sha256').update(text).digest('base64');
  if (clean.has(id)) return [];
  const found = new Set<string>(findKeyParts(text));
  for (let start = 0; start < text.length; start += PART_CHARACTERS - OVERLAP_CHARACTERS) {
    if (start > 0) await setImmediate();
    for (const value of await findSecretValues(text.slice(start, start + PART_CHARACTERS)))
      for (const part of linesOf(value)) found.add(part);
    if (start + PART_CHARACTERS >= text.length) break;
  }
  if (found.size === 0) {
    if (clean.size >= MAX_CLEAN) clean.clear();
    clean.add(id);
  }
  return longestFirst(found);
}

export function longestFirst(values: Iterable<string>): string[] {
  return [...values].sort((one, other) => other.length - one.length);
}

/** Lines keep their place when they are masked one by one. The beginning and end of a key say only what it is. */
function linesOf(value: string): string[] {
  return value
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line.length > SHOWN_CHARACTERS && !line.includes('PRIVATE KEY-----'));
}

/** The parts of private keys, in one line or several; of a key that was cut off, as far as it goes. */
function* findKeyParts(text: string): Generator<string> {
  for (const match of text.matchAll(KEY_BEGINNING)) {
    const start = match.index + match[0].length;
    const rest = text.slice(start, start + MAX_KEY_CHARACTERS);
    const end = rest.indexOf('-----END ');
    for (const part of rest.slice(0, end === -1 ? undefined : end).split(BETWEEN_KEY_PARTS)) {
      if (KEY_PART.test(part) && part.length >= MIN_KEY_PART) yield part;
      // Text after a truncated key is something else, unless strings are joined or commented out.
      else if (end === -1 && !/^(?:|\+|\/\/|#|\*)$/.test(part)) break;
    }
  }
}
