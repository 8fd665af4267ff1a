/** The search for summaries: looks up the words of all keywords, ranks what has them, and reads the best. */
import type { Db } from '../../../platform/db/index.ts';
import type { Reader } from '../../repositories/index.ts';
import { DOMAINS } from '../contract.ts';
import { rankSummaries } from './rank-summaries.ts';
import { readKeywords } from './read-keywords.ts';
import {
  type FoundEvidence,
  type FoundSummary,
  type SummaryKey,
  selectFound,
  selectFoundEvidence,
  selectWordHits,
} from './search-store.ts';

export interface SummarySearch {
  keywords: readonly string[];
  /** In any case; without any, all. */
  domains?: readonly string[] | undefined;
  limit: number;
}

export async function findSummaries(db: Db, reader: Reader, search: SummarySearch): Promise<FoundSummary[]> {
  return selectFound(db, reader, await findBest(db, reader, search));
}

export async function findEvidence(db: Db, reader: Reader, search: SummarySearch): Promise<FoundEvidence[]> {
  return selectFoundEvidence(db, reader, await findBest(db, reader, search));
}

async function findBest(
  db: Db,
  reader: Reader,
  { domains = [], keywords, limit }: SummarySearch,
): Promise<SummaryKey[]> {
  const read = readKeywords(keywords);
  const names = domains.map((domain) => domain.toLowerCase());
  const places = [...DOMAINS.keys()].filter(
    (place) => names.length === 0 || names.includes(DOMAINS[place]!.toLowerCase()),
  );
  if (read.words.length === 0 || places.length === 0) return [];
  const hits = await selectWordHits(db, reader, read.words);
  return rankSummaries(hits, read, { domains: places, limit }).map(({ domain, repository }) => ({
    repositoryId: hits.idOf(repository),
    domain: DOMAINS[domain]!,
  }));
}
