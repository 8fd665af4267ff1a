/** The search for summaries: looks up the words of all keywords, ranks what has them, and reads the best. */
import type { Db } from '../../../platform/db/index.ts';
import type { Reader } from '../../repositories/index.ts';
import { DOMAINS } from '../contract.ts';
import { rankSummaries } from './rank-summaries.ts';
import { readKeywords } from './read-keywords.ts';
import {
  type FoundCodeWord,
  type FoundEvidence,
  type FoundSummary,
  type SummaryKey,
  selectCodeWords,
  selectFound,
  selectFoundEvidence,
  selectWordHits,
} from './search-store.ts';

/** Names in the sentence about the code. */
const MAX_NAMED = 8;

export interface SummarySearch {
  keywords: readonly string[];
  /** In any case; without any, all. */
  domains?: readonly string[] | undefined;
  limit: number;
}

/** A summary that a word of the code found names it with its place in its last sentence. */
export async function findSummaries(db: Db, reader: Reader, search: SummarySearch): Promise<FoundSummary[]> {
  const { code, keys } = await findBest(db, reader, search);
  const found = await selectFound(db, reader, keys);
  return found.map((row) => {
    const words = code.get(keyOf(row.repoId, row.domain));
    const places = words?.map(({ line, name, path }) => `\`${name}\` (${path}:${line})`);
    return places ? { ...row, summary: `${row.summary} The code has ${listed(places)}.` } : row;
  });
}

export async function findEvidence(db: Db, reader: Reader, search: SummarySearch): Promise<FoundEvidence[]> {
  const { code, keys } = await findBest(db, reader, search);
  const found = await selectFoundEvidence(db, reader, keys);
  return found.map((row) => {
    const words = code.get(keyOf(row.repoId, row.domain));
    if (!words) return row;
    const text = `The code has ${listed(words.map(({ name }) => `\`${name}\``))}.`;
    const evidence = words.map(({ line, path }) => ({ path, line }));
    return { ...row, sentences: [...row.sentences, { text, evidence }] };
  });
}

/** Domains that don't exist, as they were given. */
export function unknownDomains(domains: readonly string[] = []): string[] {
  const known = new Set<string>(DOMAINS);
  return domains.filter((domain) => !known.has(domain.toUpperCase()));
}

interface Best {
  keys: SummaryKey[];
  /** By repository and domain; none without words. */
  code: Map<string, FoundCodeWord[]>;
}

async function findBest(
  db: Db,
  reader: Reader,
  { domains = [], keywords, limit }: SummarySearch,
): Promise<Best> {
  const read = readKeywords(keywords);
  const names = domains.map((domain) => domain.toLowerCase());
  const places = [...DOMAINS.keys()].filter(
    (place) => names.length === 0 || names.includes(DOMAINS[place]!.toLowerCase()),
  );
  if (read.words.length === 0 || places.length === 0) return { keys: [], code: new Map() };
  const hits = await selectWordHits(db, reader, read.words);
  const ranked = rankSummaries(hits, read, { domains: places, limit });
  const wanted = ranked.flatMap(({ code, domain, repository }) =>
    code
      .slice(0, MAX_NAMED)
      .map(({ first, last }) => ({ repositoryId: hits.idOf(repository), domain, first, last })),
  );
  const code = new Map<string, FoundCodeWord[]>();
  for (const word of await selectCodeWords(db, reader, wanted)) {
    const { domain, repositoryId } = wanted[word.key]!;
    const key = keyOf(repositoryId, DOMAINS[domain]!);
    const known = code.get(key) ?? [];
    if (!known.some(({ line, name, path }) => name === word.name && path === word.path && line === word.line))
      known.push(word);
    code.set(key, known);
  }
  const keys = ranked.map(({ domain, repository }) => ({
    repositoryId: hits.idOf(repository),
    domain: DOMAINS[domain]!,
  }));
  return { keys, code };
}

const keyOf = (repositoryId: string, domain: string) => `${repositoryId} ${domain}`;

/** `a`, `b` and `c`. */
function listed(texts: string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}
