/** Recognizes a finding after a rebase, a move, a rename or a reformatting: no line, commit or wording is part of its key. */
import { createHash } from 'node:crypto';
import type { Candidate } from './contract/code-review.ts';

const TOKEN = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu;
/** Formatters add and remove these. */
const FORMATTING = new Set([',', ';']);
/** Formatters replace one by another. */
const QUOTES = new Set(['"', "'", '`']);
/** Formatters add and remove the parentheses of a single parameter. */
const ARROW = /\(\s*([\p{L}\p{N}_$]+)\s*\)(?=\s*=>)/gu;
const MAX_TOKENS = 400;

export function findingKey({
  check,
  claim,
  quote,
  subject,
}: Pick<Candidate, 'check' | 'claim' | 'quote' | 'subject'>) {
  const hash = createHash('sha256');
  hash.update([claim, check, subject, ...quoteTokens(quote)].join('\0'));
  return hash.digest('hex').slice(0, 32);
}

/** The words and signs of a quote, without what formatting changes. */
export function quoteTokens(quote: string): string[] {
  const tokens: string[] = [];
  for (const [token] of quote.replaceAll(ARROW, '$1').matchAll(TOKEN)) {
    if (FORMATTING.has(token)) continue;
    tokens.push(QUOTES.has(token) ? "'" : token);
    if (tokens.length === MAX_TOKENS) break;
  }
  return tokens;
}
