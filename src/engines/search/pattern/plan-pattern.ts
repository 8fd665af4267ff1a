/**
 * Turns a pattern in ripgrep's syntax into a query over the trigrams of files. The rule that everything here keeps: the
 * query is true of every file in which ripgrep finds a match. It may be true of others too, which the search then drops.
 * It says nothing on whether ripgrep accepts the pattern: one that is refused for its size or for an unknown Unicode
 * property may still get a query.
 */
import { holdsOneOf, queryOf, wordsOf } from './known-strings.ts';
import { NotUnderstood } from './not-understood.ts';
import { parsePattern } from './parse-pattern.ts';
import { ALL, QueryBuilder, type TrigramQuery } from './trigram-query.ts';

/** Characters that mean something in a pattern. `]` and `}` alone stand for themselves. */
const SPECIAL = /[\\.+*?()|[{^$]/;
const ESCAPED = /\\([!-/:;=?@[-`{-~ ])/g;

/** Longer words are cut: so much of one leaves next to nothing else. */
export const MAX_WORD_BYTES = 100;

export interface PatternPlan {
  query: TrigramQuery;
  /** For each word that all matches hold: its trigrams, which stand together, within `MAX_WORD_BYTES`. */
  words: TrigramQuery[];
  literal: Buffer | null;
}

export function planPattern(pattern: string): PatternPlan {
  const builder = new QueryBuilder();
  try {
    const known = parsePattern(builder, pattern);
    const query = queryOf(builder, known);
    const words = wordsOf(known).map((some) =>
      holdsOneOf(
        builder,
        some.map((word) => word.slice(0, MAX_WORD_BYTES)),
      ),
    );
    return { query, words, literal: findLiteral(pattern) };
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    return { query: ALL, words: [], literal: null };
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
