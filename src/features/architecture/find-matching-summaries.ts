/** The search behind both operations: keywords and domains as they were sent to the summaries that the caller may see. */
import type { Context } from '../../context.ts';
import { MAX_FOUND_SUMMARIES } from './contract.ts';
import { readKeywords } from './read-keywords.ts';
import { type FoundSummary, findSummaries } from './search-store.ts';

export async function findMatchingSummaries(
  { actor, db }: Context,
  { domains = [], keywords }: { keywords: string[]; domains?: string[] | undefined },
): Promise<FoundSummary[]> {
  const words = readKeywords(keywords);
  if (words.length === 0) return [];
  return findSummaries(db, actor, {
    words,
    domains: domains.length > 0 ? domains.map((domain) => domain.toLowerCase()) : undefined,
    limit: MAX_FOUND_SUMMARIES,
  });
}
