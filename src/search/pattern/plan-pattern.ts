/**
 * Turns a pattern in ripgrep's syntax into a query over the trigrams of files. The rule that everything here keeps: the
 * query is true of every file in which ripgrep finds a match. It may be true of others too, which the search then drops.
 * It says nothing on whether ripgrep accepts the pattern: one that is refused for its size or for an unknown Unicode
 * property may still get a query.
 */
import { queryOf } from './known-strings.ts';
import { NotUnderstood } from './not-understood.ts';
import { parsePattern } from './parse-pattern.ts';
import { ALL, QueryBuilder, type TrigramQuery } from './trigram-query.ts';

/** Characters that mean something in a pattern. `]` and `}` alone stand for themselves. */
const SPECIAL = /[\\.+*?()|[{^$]/;
const ESCAPED = /\\([!-/:;=?@[-`{-~ ])/g;

export function planPattern(pattern: string): { query: TrigramQuery; literal: Buffer | null } {
  const builder = new QueryBuilder();
  try {
    return { query: queryOf(builder, parsePattern(builder, pattern)), literal: findLiteral(pattern) };
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    return { query: ALL, literal: null };
  }
}

/**
 * The bytes that the whole pattern stands for, when it is plain text. Escaped signs (`fmt\.Println\(`) are plain text
 * as well. Null for an empty pattern, which matches every line.
 */
function findLiteral(pattern: string): Buffer | null {
  if (pattern === '' || SPECIAL.test(pattern.replaceAll(ESCAPED, ''))) return null;
  return Buffer.from(pattern.replaceAll(ESCAPED, '$1'));
}
