/**
 * Turns a pattern in ripgrep's syntax into a query over trigrams. Invariant: the query is true for every file in which
 * ripgrep finds a match. It may also be true for other files, which the search then discards. It doesn't decide
 * whether ripgrep accepts the pattern: one that is rejected for its size or an unknown Unicode property may still
 * get a query.
 */

import { holdsOneOf, queryOf, wordsOf } from './known-strings.ts';
import type { LiteralText } from './literal-text.ts';
import { NotUnderstood } from './not-understood.ts';
import { parsePattern } from './parse-pattern.ts';
import { ALL, QueryBuilder, type TrigramQuery } from './trigram-query.ts';

/** Special characters in a pattern. `]` and `}` alone are literal. */
const SPECIAL = /[\\.+*?()|[{^$]/;
const ESCAPED = /\\([!-/:;=?@[-`{-~ ])/g;

/** Longer words are truncated: this much of a word is selective enough. */
export const MAX_WORD_BYTES = 100;

export interface PatternPlan {
  query: TrigramQuery;
  /** For each word that all matches contain: its trigrams, which are close together, within `MAX_WORD_BYTES`. */
  words: TrigramQuery[];
  literal: LiteralText | null;
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
 * The text that the whole pattern matches when it is literal, including escaped characters (`fmt\\.Println\\(`), or a
 * literal word between word boundaries. Null for an empty pattern, which matches every line.
 */
function findLiteral(pattern: string): LiteralText | null {
  const startsWord = /^\\b\w/.test(pattern);
  const endsWord = /\w\\b$/.test(pattern) && !/\\\w\\b$/.test(pattern);
  const inner = pattern.slice(startsWord ? 2 : 0, endsWord ? -2 : undefined);
  if (inner === '' || SPECIAL.test(inner.replaceAll(ESCAPED, ''))) return null;
  return { bytes: Buffer.from(inner.replaceAll(ESCAPED, '$1')), startsWord, endsWord };
}
