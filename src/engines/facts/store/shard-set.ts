/** All shards of a repository's facts combined: files are numbered consecutively and found by key. */
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { type CommitFiles, pathOf } from '../../search/index.ts';
import { type FactShard, openShard } from './read-shard.ts';
import { PATH_BYTES } from './shard-format.ts';

export interface FactSet {
  shards: FactShard[];
  /** The number of each shard's first file. */
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
  mkdirSync(folder, { recursive: true });
  const known = new Map(earlier?.shards.map((shard) => [shard.name, shard]));
  const shards: FactShard[] = [];
  const damaged: string[] = [];
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.facts')) continue;
    const name = file.slice(0, -'.facts'.length);
    const shard = known.get(name) ?? openShard(folder, name, idBytes);
    known.delete(name);
    if (shard) shards.push(shard);
    else damaged.push(name);
  }
  for (const gone of known.values()) gone.close();
  return assemble(shards, damaged, idBytes + PATH_BYTES);
}

function assemble(shards: FactShard[], damaged: string[], keyBytes: number): FactSet {
  const bases: number[] = [];
  let fileCount = 0;
  for (const shard of shards) {
    bases.push(fileCount);
    fileCount += shard.fileCount;
  }
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(fileCount * 2 + 2))).fill(-1);
  const mask = slots.length - 1;
  /** Ids are already hashes; the same blob at several paths must not begin at the same slot. */
  const slotOf = (key: Buffer, at: number) =>
    (key.readUInt32LE(at) ^ key.readUInt32LE(at + keyBytes - PATH_BYTES)) & mask;
  const shardOf = (file: number) => {
    let [low, high] = [0, bases.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (bases[middle]! <= file) low = middle;
      else high = middle - 1;
    }
    return { shard: shards[low]!, local: file - bases[low]! };
  };
  for (const [index, { fileCount: count, keys }] of shards.entries()) {
    for (let local = 0; local < count; local += 1) {
      let slot = slotOf(keys, local * keyBytes);
      while (slots[slot] !== -1) slot = (slot + 1) & mask;
      slots[slot] = bases[index]! + local;
    }
  }
  return {
    shards,
    bases,
    fileCount,
    damaged,
    find(key) {
      for (let slot = slotOf(key, 0); ; slot = (slot + 1) & mask) {
        const file = slots[slot]!;
        if (file === -1) return -1;
        const { local, shard } = shardOf(file);
        if (shard.keys.compare(key, 0, keyBytes, local * keyBytes, (local + 1) * keyBytes) === 0) return file;
      }
    },
    shardOf,
    close() {
      for (const shard of shards) shard.close();
    },
  };
}

/** A set that is opened again whenever its folder changes: shards are only ever added or removed. */
export class OpenFacts {
  readonly #folder: string;
  readonly #idBytes: number;
  #set: FactSet | undefined;
  #seen = '';

  constructor(folder: string, idBytes: number) {
    this.#folder = folder;
    this.#idBytes = idBytes;
  }

  present(): FactSet {
    const stat = statSync(this.#folder, { throwIfNoEntry: false, bigint: true });
    const now = stat ? `${stat.ino} ${stat.mtimeNs}` : '';
    if (!this.#set || now !== this.#seen) {
      this.#set = openFactSet(this.#folder, this.#idBytes, this.#set);
      this.#seen = now;
    }
    return this.#set;
  }

  close(): void {
    this.#set?.close();
    this.#set = undefined;
  }
}
