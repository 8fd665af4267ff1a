/** The keywords in what a person types: words, and phrases in quotes. */

const MAX_KEYWORDS = 32;

export function keywordsOf(text: string): string[] {
  const found = [...text.matchAll(/"([^"]+)"|(\S+)/g)].map(([, phrase, word]) => (phrase ?? word)!.trim());
  return [...new Set(found.filter((keyword) => keyword !== '' && keyword !== '"'))].slice(0, MAX_KEYWORDS);
}
