/**
 * The order of found summaries: by the sum of what each keyword says, which is the less the more repositories have it. A keyword that
 * only the code has counts by where it stands there, and one that another summary of the repository has counts in part.
 */
import { DOMAINS } from '../contract.ts';
import { type CodeMatches, countInCode, matchCode, rarity } from './match-code.ts';
import type { Keywords } from './read-keywords.ts';
import { ALL_DOMAINS, BITS, type WordHits, type WordRange } from './word-hits.ts';

/** How much a keyword counts that a summary has only as the beginning of a longer word, and one in its name, domain or description. */
const [BEGINNING, MAIN] = [0.9, 1.5];
/** How much a keyword counts that only another summary of the repository has. */
const ELSEWHERE = 0.4;

export interface RankedSummary {
  /** As in the hits. */
  repository: number;
  /** Its place in `DOMAINS`. */
  domain: number;
  /** The words of its code for keywords that the summary doesn't have. */
  code: WordRange[];
}

interface Scored extends RankedSummary {
  score: number;
}

interface KeywordMatches {
  /** For each repository the domains that match, as the hits have them. */
  matches: Int32Array;
  /** The repositories that match, which are few for most keywords. */
  matching: number[];
  code: CodeMatches;
}

/** With how much the keyword counts in a summary, and the most that it adds to each repository. */
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
  const keywords = alternatives.map((each): RankedKeyword => {
    const found = domainsMatching(hits, each, wanted | (wanted << BITS) | (wanted << (2 * BITS)));
    const weight = rarity(Math.max(found.matching.length, countInCode(hits, each)), hits.searched);
    return { ...found, code: matchCode(hits, each, wanted), weight };
  });
  const best: Scored[] = [];
  const summaries = DOMAINS.map(
    (_, domain): Scored => ({ domain, repository: 0, score: 0, code: [] as WordRange[] }),
  );
  const most = mostOfRepositories(keywords, hits.repositories);
  for (let repository = 0; repository < most.length; repository += 1) {
    if (best.length === limit && most[repository]! < best[limit - 1]!.score) continue;
    scoreSummaries(summaries, keywords, repository, most[repository]!);
    for (const summary of summaries) {
      if (summary.score > 0) keepBest(best, summary, limit, hits.compare);
    }
  }
  return best;
}

/** The sum of each repository’s keywords, wherever it has them: none of its summaries has more. */
function mostOfRepositories(keywords: RankedKeyword[], repositories: number): Float64Array {
  const most = new Float64Array(repositories);
  for (const { code, matches, matching, weight } of keywords) {
    for (const repository of matching) {
      most[repository]! += Math.max(
        weightOf(matches[repository]!, weight),
        code.get(repository)?.credit ?? 0,
      );
    }
    for (const [repository, { credit }] of code) if (matches[repository] === 0) most[repository]! += credit;
  }
  return most;
}

/** The most that a keyword with these matches counts in one of the summaries. */
function weightOf(match: number, weight: number): number {
  if (match >> BITS === 0) return weight * BEGINNING;
  return weight * (((match >> BITS) & ALL_DOMAINS) === 0 ? 1 : MAIN);
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

/** Fills in the entry of each domain. New objects would take longer: many repositories are scored, and few of their summaries are kept. */
function scoreSummaries(
  summaries: Scored[],
  keywords: RankedKeyword[],
  repository: number,
  most: number,
): void {
  for (const summary of summaries) {
    summary.repository = repository;
    summary.score = 0;
    if (summary.code.length > 0) summary.code = [];
  }
  for (const { code, matches, weight } of keywords) {
    const match = matches[repository]!;
    const inCode = code.get(repository);
    for (let rest = match & ALL_DOMAINS; rest !== 0; rest &= rest - 1) {
      const domain = 31 - Math.clz32(rest & -rest);
      const isMain = ((match >> (domain + BITS)) & 1) === 1;
      const isWhole = ((match >> (domain + 2 * BITS)) & 1) === 1;
      const ofSummary = weight * (isMain ? MAIN : isWhole ? 1 : BEGINNING);
      summaries[domain]!.score += inCode?.domain === domain ? Math.max(ofSummary, inCode.credit) : ofSummary;
    }
    if (inCode && (match & (1 << inCode.domain)) === 0) {
      summaries[inCode.domain]!.score += inCode.credit;
      summaries[inCode.domain]!.code.push(inCode.range);
    }
  }
  for (const summary of summaries) {
    if (summary.score > 0) summary.score += ELSEWHERE * (most - summary.score);
  }
}

function keepBest(best: Scored[], summary: Scored, limit: number, compare: WordHits['compare']): void {
  if (best.length === limit && isBefore(best[limit - 1]!, summary, compare)) return;
  let place = best.length;
  while (place > 0 && isBefore(summary, best[place - 1]!, compare)) place -= 1;
  best.splice(place, 0, { ...summary });
  if (best.length > limit) best.pop();
}

function isBefore(a: Scored, b: Scored, compare: WordHits['compare']): boolean {
  if (a.score !== b.score) return a.score > b.score;
  return a.repository === b.repository ? a.domain < b.domain : compare(a.repository, b.repository) < 0;
}
