/** The index of a repository as it is now, and a note of when it was last used. */
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { followFolder } from '../../shards/index.ts';
import { openShardSet, type ShardSet } from './shard-set.ts';

const NOTE_USE_EVERY_MS = 10 * 60_000;

export interface FollowedIndex {
  presentSet(idBytes: number): ShardSet;
  /** Grows whenever the set changes. */
  generation(): number;
  close(): void;
}

export function followIndex(indexFolder: string): FollowedIndex {
  let idBytes = 0;
  let generation = 0;
  let usedAt = 0;
  const followed = followFolder<ShardSet>(indexFolder, (earlier) => {
    generation += 1;
    return openShardSet(indexFolder, idBytes, earlier);
  });

  /** The mtime of a shard's index file records the last use: the least recently used are deleted when the disk limit is reached. */
  function noteUse({ shards }: ShardSet): void {
    const now = Date.now();
    const newest = shards.at(-1);
    if (!newest || now - usedAt < NOTE_USE_EVERY_MS) return;
    usedAt = now;
    try {
      utimesSync(join(indexFolder, `${newest.name}.index`), now / 1000, now / 1000);
    } catch {
      // It has just been merged into a newer shard.
    }
  }

  return {
    presentSet(bytes) {
      idBytes = bytes;
      const set = followed.present();
      noteUse(set);
      return set;
    },
    generation: () => generation,
    close: followed.close,
  };
}
