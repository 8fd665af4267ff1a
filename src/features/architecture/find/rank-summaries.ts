/**
 * The order of found summaries: those with more of the keywords first, always; a keyword that only the code has counts less, by how
 * much it says there. Among equals: rare keywords, main words, whole words, and keywords that other summaries of the same repository match.
 */
import { DOMAINS } from '../contract.ts';
import { type CodeMatches, matchCode } from './match-code.ts';
import type { Keywords } from './read-keywords.ts';
import { ALL_DOMAINS, BITS, type WordHits, type WordRange } from './word-hits.ts';

/** A match in the name, the domain or the description counts for more than one elsewhere in the summary. */
const MAIN_WEIGHT = 2;
/** A whole word or stem counts for more than the beginning of a word. */
const WHOLE_WEIGHT = 1;
/** How much the other summaries of a repository count. */
const REPOSITORY_WEIGHT = 0.2;
/** How much a keyword counts that any summary of the repository matches. */
const COVERAGE_WEIGHT = 2;

export interface RankedSummary {
  /** As in the hits. */
  repository: number;
  /** Its place in `DOMAINS`. */
  domain: number;
  /** The words of its code for keywords that the summary doesn't have. */
  code: WordRange[];
}

interface Scored extends RankedSummary {
  keywords: number;
  score: number;
}

interface KeywordMatches {
  /** For each repository the domains that match, as the hits have them. */
  matches: Int32Array;
  /** The repositories that match, which are few for most keywords. */
  matching: number[];
  code: CodeMatches;
}

/** With how much the keyword counts. */
interface RankedKeyword extends KeywordMatches {
  weight: number;
}

/** Only summaries of these domains, given by their places in `DOMAINS`. Equals are in the order of repositories and domains. */
export function rankSummaries(
  hits: WordHits,
  { alternatives }: Pick<Keywords, 'alternatives'>,
  { domains, limit }: { domains: readonly number[]; limit: number },
): RankedSummary[] {
  const wanted = domains.reduce((set, domain) => set | (1 << domain), 0);
  const keywords = alternatives.map((each) => {
    const found = domainsMatching(hits, each, wanted | (wanted << BITS) | (wanted << (2 * BITS)));
    return { ...found, code: matchCode(hits, each, wanted), weight: rarity(found, hits.searched) };
  });
  const best: Scored[] = [];
  const summaries = DOMAINS.map((_, domain) => ({
    domain,
    repository: 0,
    keywords: 0,
    score: 0,
    code: [] as WordRange[],
  }));
  const counts = countMatching(keywords, hits.repositories);
  for (let count = keywords.length; count > 0; count -= 1) {
    // None of the summaries of a repository has more keywords than it has.
    if (best.length === limit && best[limit - 1]!.keywords > count) break;
    for (let repository = 0; repository < counts.length; repository += 1) {
      if (counts[repository] !== count) continue;
      scoreSummaries(summaries, keywords, repository);
      for (const summary of summaries) {
        if (summary.keywords > 0) keepBest(best, summary, limit, hits.compare);
      }
    }
  }
  return best;
}

function domainsMatching(
  hits: WordHits,
  alternatives: number[][],
  mask: number,
): Omit<KeywordMatches, 'code'> {
  const matches = new Int32Array(hits.repositories);
  const matching: number[] = [];
  for (const [first, ...others] of alternatives) {
    const ofOthers = others.map((word) => spread(hits.ofWords[word]!, hits.repositories));
    for (const pairs of hits.ofWords[first!]!) {
      for (let place = 0; place < pairs.length; place += 2) {
        const repository = pairs[place]!;
        let all = pairs[place + 1]! & mask;
        for (const ofOther of ofOthers) all &= ofOther[repository]!;
        if (all === 0) continue;
        if (matches[repository] === 0) matching.push(repository);
        matches[repository]! |= all;
      }
    }
  }
  return { matches, matching };
}

function spread(lists: Int32Array[], repositories: number): Int32Array {
  const domains = new Int32Array(repositories);
  for (const pairs of lists) {
    for (let place = 0; place < pairs.length; place += 2) domains[pairs[place]!]! |= pairs[place + 1]!;
  }
  return domains;
}

function rarity(
  { matches, matching }: Pick<KeywordMatches, 'matches' | 'matching'>,
  searched: number,
): number {
  let summaries = 0;
  for (const repository of matching) summaries += countBits(matches[repository]! & ALL_DOMAINS);
  return summaries === 0 ? 0 : Math.log(1 + (10 * searched) / summaries);
}

/** Adds neighbouring bits, then pairs, then groups of four; of numbers with up to 16 bits. */
function countBits(set: number): number {
  const pairs = set - ((set >> 1) & 0x5555);
  const fours = (pairs & 0x3333) + ((pairs >> 2) & 0x3333);
  const eights = (fours + (fours >> 4)) & 0x0f0f;
  return (eights + (eights >> 8)) & 0x1f;
}

/** How many keywords each repository has in any of its summaries or in its code. */
function countMatching(keywords: RankedKeyword[], repositories: number): Uint16Array {
  const counts = new Uint16Array(repositories);
  for (const { code, matches, matching } of keywords) {
    for (const repository of matching) counts[repository]! += 1;
    for (const repository of code.keys()) if (matches[repository] === 0) counts[repository]! += 1;
  }
  return counts;
}

/** Fills in the entry of each domain. New objects would take longer: many repositories are scored, and few of their summaries are kept. */
function scoreSummaries(summaries: Scored[], keywords: RankedKeyword[], repository: number): void {
  for (const summary of summaries) {
    summary.repository = repository;
    summary.keywords = 0;
    summary.score = 0;
    if (summary.code.length > 0) summary.code = [];
  }
  let ofRepository = 0;
  for (const { code, matches, weight } of keywords) {
    const match = matches[repository]!;
    const inCode = code.get(repository);
    if (match !== 0) ofRepository += COVERAGE_WEIGHT;
    if (inCode) {
      const summary = summaries[inCode.domain]!;
      ofRepository += COVERAGE_WEIGHT * inCode.credit;
      if ((match & (1 << inCode.domain)) === 0) {
        summary.keywords += inCode.credit;
        summary.code.push(inCode.range);
      }
    }
    let isMainCounted = false;
    for (let rest = match & ALL_DOMAINS; rest !== 0; rest &= rest - 1) {
      const domain = 31 - Math.clz32(rest & -rest);
      const score = weight * (1 + MAIN_WEIGHT * ((match >> (domain + BITS)) & 1));
      const summary = summaries[domain]!;
      summary.keywords += 1;
      summary.score += score + WHOLE_WEIGHT * weight * ((match >> (domain + 2 * BITS)) & 1);
      // The name and the description stand in every summary of the repository, and count once.
      const isMain = ((match >> (domain + BITS)) & 1) === 1;
      if (!isMain || !isMainCounted) ofRepository += REPOSITORY_WEIGHT * score;
      isMainCounted ||= isMain;
    }
  }
  for (const summary of summaries) summary.score += ofRepository;
}

function keepBest(best: Scored[], summary: Scored, limit: number, compare: WordHits['compare']): void {
  if (best.length === limit && isBefore(best[limit - 1]!, summary, compare)) return;
  let place = best.length;
  while (place > 0 && isBefore(summary, best[place - 1]!, compare)) place -= 1;
  best.splice(place, 0, { ...summary });
  if (best.length > limit) best.pop();
}

function isBefore(a: Scored, b: Scored, compare: WordHits['compare']): boolean {
  if (a.keywords !== b.keywords) return a.keywords > b.keywords;
  if (a.score !== b.score) return a.score > b.score;
  return a.repository === b.repository ? a.domain < b.domain : compare(a.repository, b.repository) < 0;
}
