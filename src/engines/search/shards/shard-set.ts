/** All shards of a repository's index combined: blobs are numbered consecutively and found by id. */
import { createKeyTable, listShards, openShards } from '../../shards/index.ts';
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
export function listIndexShards(folder: string): string[] {
  return listShards(folder, '.index');
}

/** Reuses open shards of an earlier set and closes those that are gone. */
export function openShardSet(folder: string, idBytes: number, earlier?: ShardSet): ShardSet {
  const open = (name: string) => openShard(folder, name, idBytes);
  const { damaged, shards } = openShards(folder, '.index', open, earlier?.shards);
  return assemble(shards, damaged, idBytes);
}

/** For a repository without an index. */
export const NO_SHARDS = assemble([], [], 0);

function assemble(shards: Shard[], damaged: string[], idBytes: number): ShardSet {
  const { bases, count, find, shardOf } = createKeyTable(shards, idBytes, ({ ids }) => ids, firstBytes);
  return {
    shards,
    bases,
    blobCount: count,
    damaged,
    find,
    shardOf,
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

/** Ids are already hashes. */
function firstBytes(ids: Buffer, at: number): number {
  return ids.readUInt32LE(at);
}
