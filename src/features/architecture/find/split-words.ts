/** The words that text is found by: in any script, in lower case, with the parts of camelCase, snake_case, kebab-case and dotted names. */

/** Longer words are data. */
const MAX_WORD_LENGTH = 100;

/** A name: words that are joined by a single character, such as `user_id`, `last.fm` and `front-end`. */
const NAME = /[\p{L}\p{N}\p{M}]+(?:[._-][\p{L}\p{N}\p{M}]+)*/gu;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** `OAuth2Provider` has the parts `O`, `Auth2` and `Provider`: digits belong to the letters before them. */
const CAMEL_PART = /\p{Lu}?[\p{Ll}\p{M}]+\p{N}*|\p{Lu}+(?!\p{Ll})\p{N}*|\p{N}+/gu;
const HAS_CAMEL_PARTS = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}/u;
/** In a dotted path such as `com.example.api.v1`, the whole is not a word that anybody searches for. */
const MAX_JOINED_WORDS = 3;

/** A word of a text: the parts of a name, and the name as one word. */
export interface NameWords {
  parts: string[];
  whole: string;
}

export function splitName(name: string): NameWords {
  const parts = [...name.matchAll(WORD)].flatMap(([word]) =>
    HAS_CAMEL_PARTS.test(word) ? [...word.matchAll(CAMEL_PART)].map(([part]) => part) : [word],
  );
  return { parts: parts.map(fold), whole: fold(name.replaceAll(/[._-]/g, '')) };
}

/** Every word that finds this text, each once. */
export function splitWords(text: string): string[] {
  const words = new Set<string>();
  for (const [name] of text.matchAll(NAME)) {
    if (name.length > MAX_WORD_LENGTH * 2) continue;
    const { parts, whole } = splitName(name);
    for (const part of parts) words.add(part);
    for (const [word] of name.matchAll(WORD)) words.add(fold(word));
    if (name.split(/[._-]/).length <= MAX_JOINED_WORDS) words.add(whole);
  }
  return [...words].filter(({ length }) => length > 0 && length <= MAX_WORD_LENGTH);
}

/** The names in a keyword or a text, in order. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(NAME)].map(([name]) => name);
}

function fold(word: string): string {
  return word.normalize('NFKC').toLowerCase();
}
