/** The names that a search is for, whose definitions come first. */

const MAX_NAMES = 4;
/** Names are told apart by case, whether the search does or not. */
const NAME = /^(?:[\p{L}_]|\$)(?:[\p{L}\p{N}_]|\$){1,199}$/u;
const PATTERN = /^(?:\(\?i\))?(?:\\b)?((?:[\p{L}_]|\\?\$)(?:[\p{L}\p{N}_]|\\?\$){1,199})(?:\\b)?(?:\\\()?$/u;

export function namesInPattern(pattern: string): string[] {
  const name = PATTERN.exec(pattern)?.[1]?.replaceAll('\\$', '$');
  return name === undefined ? [] : [name];
}

/** A name may be followed by what a call has: `retry(`. */
export function namesInTerms(terms: readonly string[]): string[] {
  const names = terms.map((term) => term.replace(/\($/, '')).filter((term) => NAME.test(term));
  return [...new Set(names)].slice(0, MAX_NAMES);
}
