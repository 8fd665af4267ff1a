/** The repositories whose code has the words of a keyword, with how much that says: by BM25, with where the words stand and how rare they are. */
import type { CodeHits, WordHits, WordRange } from './word-hits.ts';

/** Words of a keyword that stand somewhere in the same repository, compared with the name that they make. */
const APART = 0.5;
/** The beginning of a word, compared with the whole. */
const BEGINNING = 0.6;
/** No word of code says as much as a summary. */
const MOST = 0.95;

export interface CodeMatch {
  /** From 0 to 1; a summary that matches counts 1. */
  credit: number;
  /** The place of the domain in `DOMAINS`. */
  domain: number;
  /** The word that says most. */
  range: WordRange;
}

/** By repository, as the hits number them. */
export type CodeMatches = Map<number, CodeMatch>;

/** `domains`: a bit for each that counts. */
export function matchCode(hits: WordHits, alternatives: number[][], domains: number): CodeMatches {
  const found: CodeMatches = new Map();
  for (const words of alternatives) {
    const ofWords = words.map((word) => matchWord(hits, word, domains));
    // A word that nearly every repository has tells none apart, beside others.
    const telling = ofWords.filter(({ isTooCommon }) => !isTooCommon).map(({ matches }) => matches);
    const fewest = telling.toSorted((one, other) => one.size - other.size)[0];
    for (const repository of fewest?.keys() ?? []) {
      const matches = telling.map((each) => each.get(repository));
      if (matches.some((match) => match === undefined)) continue;
      const credits = matches.map((match) => match!.credit);
      const best = matches[credits.indexOf(Math.max(...credits))]!;
      const credit =
        words.length === 1
          ? best.credit
          : APART * (credits.reduce((sum, each) => sum + each, 0) / words.length);
      const known = found.get(repository);
      if (!known || known.credit < credit) found.set(repository, { ...best, credit });
    }
  }
  return found;
}

function matchWord(
  hits: WordHits,
  word: number,
  domains: number,
): { matches: CodeMatches; isTooCommon: boolean } {
  const matches: CodeMatches = new Map();
  let isTooCommon = false;
  for (const each of hits.ofCode[word]!) {
    const isWhole = each.first === each.last;
    if (each.isTooCommon) {
      isTooCommon ||= isWhole;
      continue;
    }
    const share = rarity(each, hits.searched) * (isWhole ? 1 : BEGINNING) * MOST;
    for (let at = 0; at < each.pairs.length; at += 2) {
      const value = each.pairs[at + 1]!;
      const domain = value & 15;
      if ((domains & (1 << domain)) === 0) continue;
      const credit = (share * (value >> 4)) / 100;
      const known = matches.get(each.pairs[at]!);
      if (!known || known.credit < credit) matches.set(each.pairs[at]!, { credit, domain, range: each });
    }
  }
  return { matches, isTooCommon };
}

/** The inverse document frequency of BM25, from 0 to 1: 1 for a word of a single repository. */
function rarity({ pairs }: CodeHits, searched: number): number {
  const inverse = (count: number) => Math.log(1 + (Math.max(searched, count) - count + 0.5) / (count + 0.5));
  return inverse(pairs.length / 2) / inverse(1);
}
