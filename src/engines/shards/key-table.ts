/** Numbers the entries of several shards consecutively, and finds them by key. */

export interface KeyTable<Shard> {
  /** The number of each shard's first entry, followed by the total. */
  bases: number[];
  count: number;
  /** The number of the entry with the key in a buffer; -1 when there is none. */
  find(keys: Buffer, at: number): number;
  /** The shard that contains an entry. */
  shardOf(entry: number): { shard: Shard; local: number };
}

/** `hashOf` gets a buffer and the offset of a key in it. */
export function createKeyTable<Shard>(
  shards: readonly Shard[],
  keyBytes: number,
  keysOf: (shard: Shard) => Buffer,
  hashOf: (keys: Buffer, at: number) => number,
): KeyTable<Shard> {
  const keys = shards.map(keysOf);
  const bases = [0];
  for (const { length } of keys) bases.push(bases.at(-1)! + length / keyBytes);
  const count = bases.at(-1)!;
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(count * 2 + 2))).fill(-1);
  const mask = slots.length - 1;
  const indexOf = (entry: number) => {
    let [low, high] = [0, shards.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (bases[middle]! <= entry) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  for (const [index, own] of keys.entries()) {
    for (let local = 0; local * keyBytes < own.length; local += 1) {
      let slot = hashOf(own, local * keyBytes) & mask;
      while (slots[slot] !== -1) slot = (slot + 1) & mask;
      slots[slot] = bases[index]! + local;
    }
  }
  return {
    bases,
    count,
    find(wanted, at) {
      for (let slot = hashOf(wanted, at) & mask; ; slot = (slot + 1) & mask) {
        const entry = slots[slot]!;
        if (entry === -1) return -1;
        const index = indexOf(entry);
        const start = (entry - bases[index]!) * keyBytes;
        if (keys[index]!.compare(wanted, at, at + keyBytes, start, start + keyBytes) === 0) return entry;
      }
    },
    shardOf(entry) {
      const index = indexOf(entry);
      return { shard: shards[index]!, local: entry - bases[index]! };
    },
  };
}
