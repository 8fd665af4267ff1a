/** All shards of a repository's facts combined: files are numbered consecutively and found by key. */
import { crc32 } from 'node:zlib';
import { type CommitFiles, pathOf } from '../../search/index.ts';
import { createKeyTable, followFolder, openShards } from '../../shards/index.ts';
import { type FactShard, openShard } from './read-shard.ts';
import { PATH_BYTES } from './shard-format.ts';

export interface FactSet {
  shards: FactShard[];
  /** The number of each shard's first file, followed by the total. */
  bases: number[];
  fileCount: number;
  /** Names of shards that are damaged or of another version. */
  damaged: string[];
  /** The number of the file with this key; -1 when it has no facts. */
  find(key: Buffer): number;
  shardOf(file: number): { shard: FactShard; local: number };
  close(): void;
}

/** The key of a file: facts depend on its content and on its path. Valid until the next call. */
export function keyOf(files: CommitFiles, file: number): Buffer {
  const { idBytes, ids } = files;
  if (scratch.length !== idBytes + PATH_BYTES) scratch = Buffer.alloc(idBytes + PATH_BYTES);
  ids.copy(scratch, 0, file * idBytes, (file + 1) * idBytes);
  scratch.writeUInt32LE(crc32(pathOf(files, file)), idBytes);
  return scratch;
}

let scratch = Buffer.alloc(0);

export function openFactSet(folder: string, idBytes: number, earlier?: FactSet): FactSet {
  const open = (name: string) => openShard(folder, name, idBytes);
  const { damaged, shards } = openShards(folder, '.facts', open, earlier?.shards);
  // The same blob at several paths must not begin at the same slot.
  const hashOf = (keys: Buffer, at: number) => keys.readUInt32LE(at) ^ keys.readUInt32LE(at + idBytes);
  const { bases, count, find, shardOf } = createKeyTable(
    shards,
    idBytes + PATH_BYTES,
    ({ keys }) => keys,
    hashOf,
  );
  return {
    shards,
    bases,
    fileCount: count,
    damaged,
    find: (key) => find(key, 0),
    shardOf,
    close() {
      for (const shard of shards) shard.close();
    },
  };
}

export type OpenFacts = ReturnType<typeof openFacts>;

/** The facts in a folder as they are now. */
export function openFacts(folder: string, idBytes: number) {
  return followFolder<FactSet>(folder, (earlier) => openFactSet(folder, idBytes, earlier));
}
