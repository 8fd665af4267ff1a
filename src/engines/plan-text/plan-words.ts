/** The words by which plans are found: of any script, without case, whole and in the parts of camelCase names. */

/** Longer ones are data, not words. */
const MAX_WORD_LENGTH = 100;
/** PostgreSQL's limit of a tsvector is 1,048,575 bytes, its own book-keeping included. */
const PART_BYTES = 400_000;
const MAX_QUERY_WORDS = 20;
/** Far more than the longest plan of prose has; beyond that it is data, and takes PostgreSQL seconds. */
const MAX_WORDS = 50_000;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const CAMEL_PART = /\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu;

/** The first 50,000 distinct words of a text, in parts that PostgreSQL can hold. */
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

/** What to look for: every word, of which the beginning is enough. Undefined when nothing in it is a word. */
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
