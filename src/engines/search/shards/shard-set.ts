/** All shards of a repository's index combined: blobs are numbered consecutively and found by id. */
import { mkdirSync, readdirSync } from 'node:fs';
import { openShard, type Shard } from './read-shard.ts';

export interface ShardSet {
  shards: Shard[];
  /** The number of each shard's first blob, followed by the total. */
  bases: number[];
  blobCount: number;
  /** Names of shards that are damaged or of another version. */
  damaged: string[];
  /** The number of the blob with the id in a buffer; -1 when it isn't indexed. */
  find(ids: Buffer, at: number): number;
  /** The shard that contains a blob. */
  shardOf(blob: number): { shard: Shard; local: number };
  /** Keeps all shards readable until the returned function is called, even if the index changes. */
  keepOpen(): () => void;
  close(): void;
}

/** The names of the shards in a folder, in order of creation. */
export function listShards(folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder)
    .filter((file) => file.endsWith('.index'))
    .map((file) => file.slice(0, -'.index'.length))
    .sort();
}

/** Reuses open shards of an earlier set and closes those that are gone. */
export function openShardSet(folder: string, idBytes: number, earlier?: ShardSet): ShardSet {
  const names = listShards(folder);
  const known = new Map(earlier?.shards.map((shard) => [shard.name, shard]));
  const shards: Shard[] = [];
  const damaged: string[] = [];
  for (const name of names) {
    const shard = known.get(name) ?? openShard(folder, name, idBytes);
    known.delete(name);
    if (shard) shards.push(shard);
    else damaged.push(name);
  }
  for (const gone of known.values()) gone.close();
  return assemble(shards, damaged, idBytes);
}

/** For a repository without an index. */
export const NO_SHARDS = assemble([], [], 0);

function assemble(shards: Shard[], damaged: string[], idBytes: number): ShardSet {
  const bases = [0];
  for (const shard of shards) bases.push(bases.at(-1)! + shard.blobCount);
  const blobCount = bases.at(-1)!;
  // Ids are already hashes: their first bytes choose the first slot.
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(blobCount * 2 + 2))).fill(-1);
  const mask = slots.length - 1;
  const locate = (blob: number) => {
    let shard = 0;
    while (bases[shard + 1]! <= blob) shard += 1;
    return { shard: shards[shard]!, local: blob - bases[shard]! };
  };
  shards.forEach((shard, index) => {
    for (let local = 0; local < shard.blobCount; local += 1) {
      let slot = shard.ids.readUInt32LE(local * idBytes) & mask;
      while (slots[slot] !== -1) slot = (slot + 1) & mask;
      slots[slot] = bases[index]! + local;
    }
  });
  return {
    shards,
    bases,
    blobCount,
    damaged,
    find(ids, at) {
      let slot = ids.readUInt32LE(at) & mask;
      for (;;) {
        const blob = slots[slot]!;
        if (blob === -1) return -1;
        const { local, shard } = locate(blob);
        if (shard.ids.compare(ids, at, at + idBytes, local * idBytes, (local + 1) * idBytes) === 0)
          return blob;
        slot = (slot + 1) & mask;
      }
    },
    shardOf: locate,
    keepOpen() {
      const releases = shards.map((shard) => shard.keepOpen());
      return () => {
        for (const release of releases) release();
      };
    },
    close() {
      for (const shard of shards) shard.close();
    },
  };
}
