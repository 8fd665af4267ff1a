/** Seeded random choices: the same seed gives the same cases. */

export interface Random {
  /** An integer from 0 up to but not including `below`. */
  below(below: number): number;
  pick<Value>(values: readonly Value[]): Value;
  chance(share: number): boolean;
}

/** Marsaglia's xorshift: good enough for this, and the same on every machine. */
export function createRandom(seed: number): Random {
  let state = (seed ^ 0x9e3779b9) | 1;
  const below = (limit: number) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
  return {
    below,
    pick: (values) => values[below(values.length)]!,
    chance: (share) => below(1_000_000) < share * 1_000_000,
  };
}
