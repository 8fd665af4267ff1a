/** All files of a commit in byte order of their paths, held compactly: the paths in one run of bytes, the ids in another. */
import { type BatchAnswer, type EntryMode, type ObjectReader, parseTree } from '../git/index.ts';
import { type BoundedCache, createBoundedCache } from './bounded-cache.ts';

export interface CommitFiles {
  count: number;
  idBytes: number;
  /** The paths, one after another; the one of file `i` is between offsets `i` and `i + 1`. */
  paths: Buffer;
  pathOffsets: Uint32Array;
  ids: Buffer;
  /** 1 where the file is a symbolic link. */
  isLink: Uint8Array;
  trees: Map<string, TreePlace>;
}

/** Where the files below a tree stand, how long the path of that tree is, and the trees in it. */
interface TreePlace {
  from: number;
  to: number;
  prefixBytes: number;
  below: string[];
}

/** A tree that names itself over and over grows without end when it is written out. */
export class TooManyFiles extends Error {}
const MOST_FILES = 3_000_000;
const MOST_PATH_BYTES = 512 * 1024 * 1024;
/** When so much was written out, it is worth adding up first what there is. */
const COUNT_AHEAD = 100_000;
const MOST_DEPTH = 2_000;

/** What a repository lacks although a commit names it, as in a partial clone, or what is not a commit at all. */
export class MissingObject extends Error {}

const MOST_TREE_BYTES = 256 * 1024 * 1024;
const MOST_COMMIT_BYTES = 16 * 1024 * 1024;

export type TreeCache = BoundedCache<Buffer>;
export const createTreeCache = (mostBytes: number): TreeCache => createBoundedCache<Buffer>(mostBytes);

/** The id of the tree of a commit, by the commit's full id. */
export async function readTreeId(objects: ObjectReader, commit: string): Promise<string> {
  const answer = await objects.read(commit, MOST_COMMIT_BYTES);
  const tree = treeOf(answer);
  if (!tree) throw new MissingObject(`There is no commit ${commit} here.`);
  return tree;
}

/** The commit that digits mean, with its tree. */
export async function lookUpCommit(
  objects: ObjectReader,
  digits: string,
): Promise<{ commit: string; tree: string } | 'missing' | 'ambiguous'> {
  const answer = await objects.read(`${digits}^{commit}`, MOST_COMMIT_BYTES);
  if (typeof answer === 'string') return answer;
  const tree = treeOf(answer);
  return tree ? { commit: answer.id, tree } : 'missing';
}

function treeOf(answer: BatchAnswer): string | undefined {
  if (typeof answer === 'string' || answer.type !== 'commit' || !answer.content) return undefined;
  return /^tree ([0-9a-f]{40,64})\n/.exec(answer.content.toString('latin1', 0, 80))?.[1];
}

export async function readTree(objects: ObjectReader, cache: TreeCache, id: string): Promise<Buffer> {
  const known = cache.get(id);
  if (known) return known;
  const answer = await objects.read(id, MOST_TREE_BYTES);
  if (typeof answer === 'string' || answer.type !== 'tree' || !answer.content) {
    throw new MissingObject(`There is no tree ${id} here.`);
  }
  cache.set(id, answer.content, answer.content.length + 200);
  return answer.content;
}

/**
 * Reads all trees below one first, each level at once, then goes through them in order. What another commit has too is
 * taken from there: from one commit to the next nearly everything stays.
 */
export async function readCommitFiles(
  objects: ObjectReader,
  cache: TreeCache,
  rootId: string,
  like?: CommitFiles,
): Promise<CommitFiles> {
  const trees = await readTrees(objects, cache, rootId, (id) => like?.trees.has(id) === true);
  return flatten(trees, rootId, rootId.length / 2, like);
}

/** A tree and all below it, by their ids; those that are `known` are left out, with what is below them. */
export async function readTrees(
  objects: ObjectReader,
  cache: TreeCache,
  rootId: string,
  known: (id: string) => boolean,
): Promise<Map<string, Buffer>> {
  const idBytes = rootId.length / 2;
  const trees = new Map<string, Buffer>();
  let level = known(rootId) ? [] : [rootId];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MOST_DEPTH) throw new TooManyFiles(`Folders are nested more than ${MOST_DEPTH} deep.`);
    const contents = await Promise.all(level.map((id) => readTree(objects, cache, id)));
    const below = new Set<string>();
    level.forEach((id, index) => {
      const content = contents[index]!;
      trees.set(id, content);
      for (const entry of parseTree(content, idBytes)) {
        if (entry.mode !== 'folder') continue;
        const child = content.toString('hex', entry.idStart, entry.idStart + idBytes);
        if (!trees.has(child) && !known(child)) below.add(child);
      }
    });
    level = [...below];
  }
  return trees;
}

function flatten(
  trees: Map<string, Buffer>,
  rootId: string,
  idBytes: number,
  like: CommitFiles | undefined,
): CommitFiles {
  const places: CommitFiles['trees'] = new Map();
  const paths = new GrowingBytes(1 << 16);
  const ids = new GrowingBytes(1 << 14);
  const offsets = new GrowingNumbers();
  offsets.add(0);
  const links = new GrowingBytes(1 << 12);
  let visited = 0;
  /** Folders count too: those without files would be gone through without end just as well. */
  const count = (more: number): void => {
    const isFirstTime = visited < COUNT_AHEAD;
    visited += more;
    if (isFirstTime && visited >= COUNT_AHEAD) refuseTooMany(trees, rootId, idBytes, like);
  };
  /** The files of a tree that the other commit has too, perhaps in another folder. */
  const takeOver = (id: string, prefix: Buffer): void => {
    const { from, prefixBytes, to } = like!.trees.get(id)!;
    count(to - from);
    links.add(like!.isLink, from, to);
    const start = like!.pathOffsets[from]!;
    if (to > from && prefix.equals(like!.paths.subarray(start, start + prefixBytes))) {
      // In the same folder the paths are the same, all at once.
      const shift = paths.length - start;
      paths.add(like!.paths, start, like!.pathOffsets[to]!);
      offsets.addShifted(like!.pathOffsets, from + 1, to + 1, shift);
    } else {
      for (let file = from; file < to; file += 1) {
        paths.add(prefix, 0, prefix.length);
        paths.add(like!.paths, like!.pathOffsets[file]! + prefixBytes, like!.pathOffsets[file + 1]!);
        offsets.add(paths.length);
      }
    }
    ids.add(like!.ids, from * idBytes, to * idBytes);
    takeOverPlaces(id, links.length - to, prefix.length - prefixBytes, { from, to });
  };
  const takeOverPlaces = (
    id: string,
    files: number,
    prefix: number,
    within: { from: number; to: number },
  ) => {
    count(1);
    const known = like!.trees.get(id);
    // It may be known from elsewhere in the other commit.
    if (!known || known.from < within.from || known.to > within.to) return;
    const { below, from, prefixBytes, to } = known;
    places.set(id, { from: from + files, to: to + files, prefixBytes: prefixBytes + prefix, below });
    for (const tree of below) takeOverPlaces(tree, files, prefix, within);
  };
  const visit = (id: string, prefix: Buffer): void => {
    const content = trees.get(id);
    if (!content) {
      takeOver(id, prefix);
      return;
    }
    const place: TreePlace = { from: links.length, to: 0, prefixBytes: prefix.length, below: [] };
    readEntries(content, prefix, place.below);
    place.to = links.length;
    places.set(id, place);
  };
  const readEntries = (content: Buffer, prefix: Buffer, below: string[]): void => {
    for (const { idStart, mode, nameEnd, nameStart } of parseTree(content, idBytes)) {
      count(1);
      if (mode === 'folder') {
        const name = content.subarray(nameStart, nameEnd);
        const tree = content.toString('hex', idStart, idStart + idBytes);
        below.push(tree);
        visit(tree, Buffer.concat([prefix, name, SLASH]));
      } else if (isFile(mode)) {
        paths.add(prefix, 0, prefix.length);
        paths.add(content, nameStart, nameEnd);
        ids.add(content, idStart, idStart + idBytes);
        offsets.add(paths.length);
        links.add(mode === 'symlink' ? LINK : NO_LINK, 0, 1);
      }
    }
  };
  visit(rootId, Buffer.alloc(0));
  return {
    count: links.length,
    idBytes,
    paths: paths.bytes(),
    pathOffsets: offsets.numbers(),
    ids: ids.bytes(),
    isLink: links.bytes(),
    trees: places,
  };
}

interface TreeSize {
  /** Files and folders. */
  entries: number;
  files: number;
  pathBytes: number;
}

/** Adds up what all would be when it is written out, looking at each tree once, however often it is named. */
function refuseTooMany(
  trees: Map<string, Buffer>,
  rootId: string,
  idBytes: number,
  like: CommitFiles | undefined,
): void {
  const known = new Map<string, TreeSize>();
  const measure = (id: string): TreeSize => {
    const before = known.get(id);
    if (before) return before;
    const size: TreeSize = { entries: 0, files: 0, pathBytes: 0 };
    const content = trees.get(id);
    if (!content) {
      const { below, from, prefixBytes, to } = like!.trees.get(id)!;
      size.files = to - from;
      size.entries = below.reduce((sum, tree) => sum + measure(tree).entries, size.files + below.length);
      size.pathBytes = like!.pathOffsets[to]! - like!.pathOffsets[from]! - size.files * prefixBytes;
    } else {
      for (const { idStart, mode, nameEnd, nameStart } of parseTree(content, idBytes)) {
        size.entries += 1;
        if (mode === 'folder') {
          const inside = measure(content.toString('hex', idStart, idStart + idBytes));
          size.entries += inside.entries;
          size.files += inside.files;
          size.pathBytes += inside.pathBytes + inside.files * (nameEnd - nameStart + 1);
        } else if (isFile(mode)) {
          size.files += 1;
          size.pathBytes += nameEnd - nameStart;
        }
      }
    }
    known.set(id, size);
    return size;
  };
  const { entries, pathBytes } = measure(rootId);
  if (entries <= MOST_FILES && pathBytes <= MOST_PATH_BYTES) return;
  throw new TooManyFiles(`There are more than ${MOST_FILES} files and folders, or their paths are too long.`);
}

const SLASH = Buffer.from('/');

/** A submodule stands where a folder would: it is no file of this repository. */
function isFile(mode: EntryMode): boolean {
  return mode === 'file' || mode === 'symlink';
}

const LINK = Uint8Array.of(1);
const NO_LINK = Uint8Array.of(0);
/** So few bytes are copied faster one by one. */
const SHORT_BYTES = 24;

class GrowingNumbers {
  #held = new Uint32Array(1 << 12);
  #length = 0;

  add(value: number): void {
    this.#reserve(1);
    this.#held[this.#length] = value;
    this.#length += 1;
  }

  addShifted(source: Uint32Array, from: number, to: number, shift: number): void {
    this.#reserve(to - from);
    for (let at = from; at < to; at += 1) this.#held[this.#length + at - from] = source[at]! + shift;
    this.#length += to - from;
  }

  numbers(): Uint32Array {
    return this.#held.slice(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#held.length) return;
    const larger = new Uint32Array(Math.max(this.#length + more, this.#held.length * 2));
    larger.set(this.#held.subarray(0, this.#length));
    this.#held = larger;
  }
}

class GrowingBytes {
  length = 0;
  #held: Buffer;

  constructor(size: number) {
    this.#held = Buffer.allocUnsafe(size);
  }

  add(source: Uint8Array, start: number, end: number): void {
    const needed = this.length + end - start;
    if (needed > this.#held.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#held.length * 2));
      this.#held.copy(larger, 0, 0, this.length);
      this.#held = larger;
    }
    if (end - start < SHORT_BYTES) {
      for (let at = start; at < end; at += 1) this.#held[this.length + at - start] = source[at]!;
    } else this.#held.set(source.subarray(start, end), this.length);
    this.length = needed;
  }

  bytes(): Buffer {
    return Buffer.from(this.#held.subarray(0, this.length));
  }
}

/** Held in memory, roughly. */
export function bytesOf(files: CommitFiles): number {
  return files.paths.length + files.ids.length + files.count * 5 + files.trees.size * 200 + 500;
}

export function pathOf(files: CommitFiles, index: number): Buffer {
  return files.paths.subarray(files.pathOffsets[index]!, files.pathOffsets[index + 1]!);
}

export function idOf(files: CommitFiles, index: number): string {
  return files.ids.toString('hex', index * files.idBytes, (index + 1) * files.idBytes);
}

/** The files in a folder, or the one file with this path: a range of numbers. Undefined when there is neither. */
export function findRange(files: CommitFiles, path: Buffer): { from: number; to: number } | undefined {
  if (path.length === 0) return { from: 0, to: files.count };
  const exact = firstNotBelow(files, path);
  if (exact < files.count && pathOf(files, exact).equals(path)) return { from: exact, to: exact + 1 };
  const inside = Buffer.concat([path, SLASH]);
  const from = firstNotBelow(files, inside);
  // The sign after the slash: everything that begins with the folder's name and a slash comes before it.
  const behind = Buffer.from(inside);
  behind[behind.length - 1]! += 1;
  const to = firstNotBelow(files, behind);
  return from < to ? { from, to } : undefined;
}

function firstNotBelow(files: CommitFiles, path: Buffer): number {
  let [low, high] = [0, files.count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (Buffer.compare(pathOf(files, middle), path) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
