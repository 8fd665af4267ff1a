/** The query process's view of a repository: its objects, its index, and the files of requested commits. */
import {
  type BoundedCache,
  createBoundedCache,
  createKeyedCache,
} from '../../../platform/core/work/bounded-cache.ts';
import { type ObjectReader, openObjects } from '../../git/index.ts';
import { type FollowedIndex, followIndex } from '../shards/follow-index.ts';
import { NO_SHARDS, type ShardSet } from '../shards/shard-set.ts';
import { bytesOf, type CommitFiles } from './commit-files.ts';
import { type IndexedFiles, joinFiles } from './indexed-files.ts';
import { type ObjectBatches, openObjectBatches } from './object-batches.ts';
import { createTreeCache, lookUpCommit, readCommitFiles, readTreeId, type TreeCache } from './read-commit.ts';

const FILES_BYTES = 64 * 1024 * 1024;
const MAX_KNOWN_COMMITS_BYTES = 4 * 1024 * 1024;
const MAX_DIFFERENCES_BYTES = 16 * 1024 * 1024;

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

const NO_INDEX: FollowedIndex = { presentSet: () => NO_SHARDS, generation: () => 0, close() {} };

/** Without a folder, nothing is indexed. */
export function openRepository(
  gitDir: string,
  indexFolder: string | null,
  caches = sharedCaches,
): RepositoryReader {
  return open(gitDir, indexFolder === null ? NO_INDEX : followIndex(indexFolder), caches);
}

/** The lender closes it. */
function borrowed(index: FollowedIndex): FollowedIndex {
  return { ...index, close() {} };
}

function open(
  gitDir: string,
  index: FollowedIndex,
  caches: ReaderCaches,
  filesOfLender?: () => CommitFiles | undefined,
): RepositoryReader {
  // Entries cached before the folder was replaced or removed must not be reused.
  openings += 1;
  const owner = String(openings);
  const objects = openObjects(gitDir);
  const batches = openObjectBatches(gitDir);
  const reading = new Map<string, Promise<CommitFiles>>();
  /** The key of the most recently read file list, which mostly matches that of the next commit. */
  let newest = '';

  function indexedFilesOf(tree: string, files: CommitFiles): IndexedFiles {
    const present = index.presentSet(files.idBytes);
    const key = `${owner} ${tree} ${index.generation()}`;
    const known = caches.indexed.get(key);
    if (known && known.set === present) return known;
    const indexed = joinFiles(files, present);
    const ownBytes = (files.count + present.blobCount + indexed.unindexed.length) * 4;
    // It keeps the list of files in memory, even after that has left its own cache.
    caches.indexed.set(key, indexed, bytesOf(files) + ownBytes);
    return indexed;
  }

  const newestFiles = () => caches.files.get(newest) ?? filesOfLender?.();

  const reader: RepositoryReader = {
    gitDir,
    objects,
    batches,
    trees: createKeyedCache(caches.trees, owner),
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
    ...rememberMissing(),
    presentSet: index.presentSet,
    borrow: (other) => open(other, borrowed(index), caches, newestFiles),
    close() {
      objects.close();
      batches.close();
      index.close();
    },
  };
  return reader;
}

function rememberMissing(): Pick<RepositoryReader, 'isMissing' | 'noteMissing'> {
  const missing = new Map<string, number>();
  return {
    isMissing: (id) => (missing.get(id) ?? 0) > performance.now(),
    noteMissing(id) {
      if (missing.size >= MAX_MISSING) missing.clear();
      missing.set(id, performance.now() + MISSING_FOR_MS);
    },
  };
}
