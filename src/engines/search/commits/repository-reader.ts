/** The query process's view of a repository: its objects, its index, and the files of requested commits. */
import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BoundedCache,
  createBoundedCache,
  createKeyedCache,
} from '../../../platform/core/work/bounded-cache.ts';
import { type ObjectReader, openObjects } from '../../git/index.ts';
import { BLOB_KINDS } from '../shards/shard-format.ts';
import { NO_SHARDS, openShardSet, type ShardSet } from '../shards/shard-set.ts';
import { bytesOf, type CommitFiles } from './commit-files.ts';
import { type ObjectBatches, openObjectBatches } from './object-batches.ts';
import { createTreeCache, lookUpCommit, readCommitFiles, readTreeId, type TreeCache } from './read-commit.ts';

const FILES_BYTES = 64 * 1024 * 1024;
const MAX_KNOWN_COMMITS_BYTES = 4 * 1024 * 1024;
const MAX_DIFFERENCES_BYTES = 16 * 1024 * 1024;

/** Maps the files of a commit to the blobs of the index. */
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

export interface RepositoryReader {
  gitDir: string;
  objects: ObjectReader;
  batches: ObjectBatches;
  trees: TreeCache;
  /** Results of recent comparisons. */
  differences: BoundedCache<unknown>;
  findCommit(digits: string): Promise<{ commit: string; tree: string } | 'missing' | 'ambiguous'>;
  treeIdOf(commit: string): Promise<string>;
  filesOf(commit: string): Promise<CommitFiles>;
  /** The shards stay open until `work` finishes, even if the index is merged, removed or closed in the meantime. */
  withIndexedFiles<Result>(commit: string, work: (indexed: IndexedFiles) => Promise<Result>): Promise<Result>;
  /** Objects that were recently missing: a fetch may add them, so they are remembered only for a while. */
  isMissing(id: string): boolean;
  noteMissing(id: string): void;
  /** The index as it is now. */
  presentSet(idBytes: number): ShardSet;
  /** Another repository that borrows the objects of this one, with the same index. This one must stay open. */
  borrow(gitDir: string): RepositoryReader;
  close(): void;
}

const NOTE_USE_EVERY_MS = 10 * 60_000;
const MISSING_FOR_MS = 60_000;
const MAX_MISSING = 100_000;

/** Shared by all readers of a process, whatever the repository. */
export type ReaderCaches = ReturnType<typeof createReaderCaches>;

/** The lists of files take up to this many bytes, and so does how the index has them; trees half of it. */
export function createReaderCaches(filesBytes: number) {
  return {
    commits: createBoundedCache<string>(MAX_KNOWN_COMMITS_BYTES),
    files: createBoundedCache<CommitFiles>(filesBytes),
    indexed: createBoundedCache<IndexedFiles>(filesBytes),
    trees: createTreeCache(filesBytes / 2),
    differences: createBoundedCache<unknown>(MAX_DIFFERENCES_BYTES),
  };
}

const sharedCaches = createReaderCaches(FILES_BYTES);

let openings = 0;

/** Without a folder, nothing is indexed. */
export function openRepository(
  gitDir: string,
  indexFolder: string | null,
  caches = sharedCaches,
): RepositoryReader {
  return open({ gitDir, indexFolder, caches });
}

/** Shared by a borrowing repository with the one that it borrows from. */
interface Lender {
  presentSet: RepositoryReader['presentSet'];
  newestFiles(): CommitFiles | undefined;
}

function open({
  caches,
  gitDir,
  indexFolder,
  lender,
}: {
  gitDir: string;
  indexFolder: string | null;
  caches: ReaderCaches;
  lender?: Lender;
}): RepositoryReader {
  // Entries cached before the folder was replaced or removed must not be reused.
  openings += 1;
  const owner = String(openings);
  const objects = openObjects(gitDir);
  const batches = openObjectBatches(gitDir);
  const reading = new Map<string, Promise<CommitFiles>>();
  let set: ShardSet | undefined;
  let seen = '';
  let generation = 0;
  const missing = new Map<string, number>();
  let usedAt = 0;
  /** The key of the most recently read file list, which mostly matches that of the next commit. */
  let newest = '';
  const cachedTrees = createKeyedCache(caches.trees, owner);

  /** Shards are only ever added or removed, and both change the folder's mtime. */
  function presentSet(idBytes: number): ShardSet {
    if (lender) return lender.presentSet(idBytes);
    if (indexFolder === null) return NO_SHARDS;
    const stat = statSync(indexFolder, { throwIfNoEntry: false, bigint: true });
    const now = stat ? `${stat.ino} ${stat.mtimeNs}` : '';
    if (!set || now !== seen) {
      set = openShardSet(indexFolder, idBytes, set);
      // Opening the set created the folder.
      seen = now === '' ? 'new' : now;
      generation += 1;
    }
    noteUse(indexFolder, set);
    return set;
  }

  /** The mtime of a shard's index file records the last use: the least recently used are deleted when the disk limit is reached. */
  function noteUse(folder: string, { shards }: ShardSet): void {
    const now = Date.now();
    const newest = shards.at(-1);
    if (!newest || now - usedAt < NOTE_USE_EVERY_MS) return;
    usedAt = now;
    try {
      utimesSync(join(folder, `${newest.name}.index`), now / 1000, now / 1000);
    } catch {
      // It has just been merged into a newer shard.
    }
  }

  function indexedFilesOf(tree: string, files: CommitFiles): IndexedFiles {
    const present = presentSet(files.idBytes);
    const key = `${owner} ${tree} ${generation}`;
    const known = caches.indexed.get(key);
    if (known && known.set === present) return known;
    const indexed = joinFiles(files, present);
    const ownBytes = (files.count + present.blobCount + indexed.unindexed.length) * 4;
    // It keeps the list of files in memory, even after that has left its own cache.
    caches.indexed.set(key, indexed, bytesOf(files) + ownBytes);
    return indexed;
  }

  const newestFiles = () => caches.files.get(newest) ?? lender?.newestFiles();

  const reader: RepositoryReader = {
    gitDir,
    objects,
    batches,
    trees: cachedTrees,
    differences: createKeyedCache(caches.differences, owner),
    async findCommit(digits) {
      const found = await lookUpCommit(objects, digits);
      if (typeof found === 'object') caches.commits.set(`${owner} ${found.commit}`, found.tree, 150);
      return found;
    },
    async treeIdOf(commit) {
      const known = caches.commits.get(`${owner} ${commit}`);
      if (known) return known;
      const tree = await readTreeId(batches, commit);
      caches.commits.set(`${owner} ${commit}`, tree, 150);
      return tree;
    },
    async filesOf(commit) {
      const tree = await reader.treeIdOf(commit);
      const key = `${owner} ${tree}`;
      const known = caches.files.get(key);
      if (known) return known;
      const underWay = reading.get(tree) ?? readCommitFiles(batches, tree, newestFiles());
      reading.set(tree, underWay);
      try {
        const files = await underWay;
        caches.files.set(key, files, bytesOf(files));
        newest = key;
        return files;
      } finally {
        reading.delete(tree);
      }
    },
    async withIndexedFiles(commit, work) {
      const tree = await reader.treeIdOf(commit);
      const indexed = indexedFilesOf(tree, await reader.filesOf(commit));
      const release = indexed.set.keepOpen();
      try {
        return await work(indexed);
      } finally {
        release();
      }
    },
    isMissing: (id) => (missing.get(id) ?? 0) > performance.now(),
    noteMissing(id) {
      if (missing.size >= MAX_MISSING) missing.clear();
      missing.set(id, performance.now() + MISSING_FOR_MS);
    },
    presentSet,
    borrow: (other) =>
      open({ gitDir: other, indexFolder: null, caches, lender: { presentSet, newestFiles } }),
    close() {
      objects.close();
      batches.close();
      set?.close();
    },
  };
  return reader;
}

function joinFiles(files: CommitFiles, set: ShardSet): IndexedFiles {
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
