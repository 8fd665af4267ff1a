/** Maps the files of a commit to the blobs of the index. */
import { BLOB_KINDS } from '../shards/shard-format.ts';
import type { ShardSet } from '../shards/shard-set.ts';
import type { CommitFiles } from './commit-files.ts';

export interface IndexedFiles {
  files: CommitFiles;
  set: ShardSet;
  /** The first file with each blob; -1 when the commit has none. */
  fileOf: Int32Array;
  /** The next file with the same blob; -1 at the end. */
  next: Int32Array;
  /** Files that aren't indexed, without symbolic links; ascending. */
  unindexed: number[];
  /** Files known to be too large to search; ascending. */
  tooLarge: number[];
}

export function joinFiles(files: CommitFiles, set: ShardSet): IndexedFiles {
  const next = new Int32Array(files.count).fill(-1);
  const fileOf = new Int32Array(set.blobCount).fill(-1);
  const unindexed: number[] = [];
  const tooLarge: number[] = [];
  for (let file = files.count - 1; file >= 0; file -= 1) {
    const blob = files.isLink[file] ? -1 : set.find(files.ids, file * files.idBytes);
    if (blob !== -1) {
      next[file] = fileOf[blob]!;
      fileOf[blob] = file;
      const { local, shard } = set.shardOf(blob);
      if (shard.kinds[local] === BLOB_KINDS.tooLarge) tooLarge.push(file);
    } else if (!files.isLink[file]) unindexed.push(file);
  }
  return {
    files,
    set,
    fileOf,
    next,
    unindexed: unindexed.reverse(),
    tooLarge: tooLarge.reverse(),
  };
}
