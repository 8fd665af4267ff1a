/** The repositories whose code has the words of a keyword, with how much that says: by BM25, with where the words stand and how rare they are. */
import type { WordHits, WordRange } from './word-hits.ts';

/** Words of a keyword that stand somewhere in the same repository, compared with the name that they make. */
const APART = 0.5;
/** The beginning of a word, compared with the whole. */
const BEGINNING = 0.6;
/** Repositories beside the searched ones: a few show little about how common a word is. */
const BACKGROUND = 20;

export interface CodeMatch {
  /** From 0 to 1; a rare keyword that a summary has counts 1. */
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
    if (each.isTooCommon) {
      isTooCommon ||= isWhole(each);
      continue;
    }
    const share = rarity(each.pairs.length / 2, hits.searched) * (isWhole(each) ? 1 : BEGINNING);
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

/** How many repositories have a keyword in their code: as many as have the rarest of its words. */
export function countInCode({ ofCode }: WordHits, alternatives: number[][]): number {
  const repositoriesOf = (word: number) =>
    Math.max(0, ...ofCode[word]!.filter(isWhole).map(({ pairs }) => pairs.length / 2));
  return Math.max(...alternatives.map((words) => Math.min(...words.map(repositoriesOf))));
}

const isWhole = ({ first, last }: WordRange) => first === last;

/** From 1 for what one repository has, falling with the logarithm of how many have it. */
export function rarity(repositories: number, searched: number): number {
  const all = searched + BACKGROUND;
  return Math.log(all / Math.max(1, repositories)) / Math.log(all);
}
