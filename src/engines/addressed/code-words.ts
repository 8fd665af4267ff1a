/** Words of code and of prose in one form, so that a comment can be compared with the code it is about. */

/** Names, numbers and signs, without white space. */
const TOKEN = /[\p{L}_$][\p{L}\p{N}_$]*|\p{N}+|[^\s\p{L}\p{N}_$]/gu;
const NAME = /^[\p{L}_$]/u;
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu;

/** Longer lines are cut, so that minified code costs little. */
const MAX_LINE = 2_000;
const MAX_NAME = 200;

export function tokensOf(line: string): string[] {
  return line.slice(0, MAX_LINE).match(TOKEN) ?? [];
}

export function isName(token: string): boolean {
  return NAME.test(token);
}

/** Each two tokens that follow each other. */
export function pairsOf(line: string): string[] {
  const tokens = tokensOf(line);
  return tokens.slice(1).map((token, index) => `${tokens[index]} ${token}`);
}

/** The stems of a name's parts: `maxRetries` and `MAX_RETRIES` are both "max" and "retr". */
export function partsOf(name: string): string[] {
  return (name.slice(0, MAX_NAME).match(PART) ?? []).map((part) => stem(part.toLowerCase()));
}

const ENDINGS = [
  ...['ization', 'ations', 'ation', 'ments', 'ment', 'ings', 'ing', 'ies', 'ed', 'es', 's', 'e', 'y'],
];

/** The beginning that the forms of a word share: "rename", "renamed", "renaming". */
export function stem(word: string): string {
  for (const ending of ENDINGS) {
    if (word.length - ending.length >= 3 && word.endsWith(ending)) return word.slice(0, -ending.length);
  }
  return word;
}

const COMMENT_MARK = /^\s*(?:\/\/+|\/\*+|\*+\/?|#+|<!--)/;
const COMMENT_END = /(?:\*\/|-->)\s*$/;

export function isCommentLine(line: string): boolean {
  return COMMENT_MARK.test(line) || line.trimStart().startsWith('"""');
}

/**
 * The code without what formatters change: white space, the kind of quotes, trailing commas and semicolons, parentheses
 * around the one parameter of a function, where a string or a comment is wrapped.
 */
export function withoutFormat(lines: readonly string[]): string {
  return lines
    .map((line) => line.slice(0, MAX_LINE).replace(COMMENT_MARK, '').replace(COMMENT_END, ''))
    .join('\n')
    .replaceAll(/;?[ \t]*$/gm, '')
    .replaceAll(/\s/g, '')
    .replaceAll(/["`]/g, "'")
    .replaceAll("'+'", '')
    .replaceAll(/[,;](?=[)\]}]|$)/g, '')
    .replaceAll(/\(([\p{L}\p{N}_$]{1,80})\)=>/gu, '$1=>');
}

export type Counts = ReadonlyMap<string, number>;

export function countAll(items: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

export function surplus(counts: Counts, others: Counts): Map<string, number> {
  const more = new Map<string, number>();
  for (const [item, count] of counts) {
    const left = count - (others.get(item) ?? 0);
    if (left > 0) more.set(item, left);
  }
  return more;
}
