/** The search words of a plan: in any script, case-insensitive, with the parts of camelCase names. */

/** Longer words are data. */
const MAX_WORD_LENGTH = 100;
/** PostgreSQL limits a tsvector to 1,048,575 bytes, including its overhead. */
const PART_BYTES = 400_000;
const MAX_QUERY_WORDS = 20;
/** Far more than any plan of prose has. Beyond that, the text is data and would take PostgreSQL seconds. */
const MAX_WORDS = 50_000;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const CAMEL_PART = /\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu;

/** The first 50,000 distinct words of a text, in parts that fit into a tsvector. */
export function wordParts(text: string): string[][] {
  const seen = new Set<string>();
  const parts: string[][] = [];
  let bytes = PART_BYTES;
  const add = (word: string) => {
    const folded = fold(word);
    if (folded.length > MAX_WORD_LENGTH || seen.size >= MAX_WORDS || seen.has(folded)) return;
    seen.add(folded);
    if (bytes >= PART_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    parts[parts.length - 1]!.push(folded);
    bytes += folded.length * 3 + 16;
  };
  for (const [word] of text.matchAll(WORD)) {
    add(word);
    if (word.length <= MAX_WORD_LENGTH && /\p{Ll}\p{Lu}/u.test(word)) {
      for (const [part] of word.matchAll(CAMEL_PART)) add(part);
    }
  }
  return parts;
}

/** A `tsquery` that matches every word by prefix. Undefined if the search has no words. */
export function wordQuery(search: string): string | undefined {
  const words = [...search.matchAll(WORD)].map(([word]) => fold(word).slice(0, MAX_WORD_LENGTH));
  if (words.length === 0) return undefined;
  return words
    .slice(0, MAX_QUERY_WORDS)
    .map((word) => `'${word}':*`)
    .join(' & ');
}

function fold(word: string): string {
  return word.normalize('NFKC').toLowerCase();
}
