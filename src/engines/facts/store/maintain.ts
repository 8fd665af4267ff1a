/** Keeps a folder of facts tidy: removes leftovers and damaged shards, and merges small ones. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isLeftBehind } from '../../shards/index.ts';
import type { FactShard } from './read-shard.ts';
import { PATH_BYTES } from './shard-format.ts';
import type { FactSet } from './shard-set.ts';
import { ShardWriter } from './write-shard.ts';

/** Each push creates a small shard: more than this many are merged. */
export const MAX_SMALL_SHARDS = 8;
const SMALL_FILES = 1000;

/** Whether the folder changed. */
export function maintain(folder: string, idBytes: number, set: FactSet): boolean {
  for (const name of set.damaged) rmSync(join(folder, `${name}.facts`), { force: true });
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.new')) continue;
    const path = join(folder, file);
    if (isLeftBehind(path)) rmSync(path, { force: true });
  }
  const small = set.shards.filter(({ fileCount }) => fileCount < SMALL_FILES);
  if (small.length <= MAX_SMALL_SHARDS) return set.damaged.length > 0;
  merge(folder, idBytes, small);
  for (const { name } of small) rmSync(join(folder, `${name}.facts`), { force: true });
  return true;
}

function merge(folder: string, idBytes: number, shards: FactShard[]): void {
  const writer = new ShardWriter(folder, idBytes);
  const keyBytes = idBytes + PATH_BYTES;
  // A process killed after writing a merged shard leaves files in two shards.
  const written = new Set<string>();
  for (const shard of shards) {
    for (let file = 0; file < shard.fileCount; file += 1) {
      const key = shard.keys.subarray(file * keyBytes, (file + 1) * keyBytes);
      if (written.has(key.toString('latin1'))) continue;
      written.add(key.toString('latin1'));
      const { imports, symbols } = shard.symbols(file);
      const uses = shard.uses(file);
      const words = shard.words(file);
      writer.add(key, { ...shard.summary(file), facts: shard.facts(file), symbols, imports, uses, words });
    }
  }
  writer.finish();
}
