/** Made-up words whose frequencies fall with their rank, as those of natural languages do, always the same for a seed. */

const VOCABULARY = 20_000;
const SYLLABLES = 'ba co di fe gu ha jo ki le mu na po ri se tu va wo xi ye zu'.split(' ');

export interface Words {
  next(): string;
  /** The word with this rank; 0 is the most frequent. */
  ranked(rank: number): string;
  random(): number;
}

export function createWords(seed: number): Words {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    random,
    ranked,
    // The logarithm of the rank is spread evenly.
    next: () => ranked(Math.floor(VOCABULARY ** random()) - 1),
  };
}

function ranked(rank: number): string {
  let rest = rank + SYLLABLES.length ** 2;
  let word = '';
  while (rest > 0) {
    word += SYLLABLES[rest % SYLLABLES.length];
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return word;
}
