/** All files of a commit in byte order of their paths, stored compactly: paths in one buffer, ids in another. */

export interface CommitFiles {
  count: number;
  idBytes: number;
  /** The concatenated paths; file `i` is between offsets `i` and `i + 1`. */
  paths: Buffer;
  pathOffsets: Uint32Array;
  ids: Buffer;
  /** 1 for symbolic links. */
  isLink: Buffer;
  folders: Folders;
}

/** The folders of a commit, each before its subfolders, starting with the root. */
export interface Folders {
  count: number;
  /** The ids of their trees. */
  ids: Buffer;
  /** The range of files in each folder, including subfolders. */
  from: Uint32Array;
  to: Uint32Array;
  /** The length of each path, including the trailing slash. */
  prefixBytes: Uint32Array;
  /** The index of the first folder after each that isn't inside it. */
  ends: Uint32Array;
}

/** An object that the repository lacks, as in a partial clone, or that isn't a commit. */
export class MissingObject extends Error {}

/** A tree that repeatedly contains the same subtrees expands exponentially. */
export class TooManyFiles extends Error {}

/** The approximate size in memory. */
export function bytesOf({ count, folders, idBytes, paths }: CommitFiles): number {
  return paths.length + count * (idBytes + 5) + folders.count * (idBytes + 16) + 1000;
}

export function pathOf(files: CommitFiles, index: number): Buffer {
  return files.paths.subarray(files.pathOffsets[index]!, files.pathOffsets[index + 1]!);
}

export function idOf(files: CommitFiles, index: number): string {
  return files.ids.toString('hex', index * files.idBytes, (index + 1) * files.idBytes);
}

const SLASH = Buffer.from('/');

/** The range of files in a folder, or the single file at this path. Undefined when there is neither. */
export function findRange(files: CommitFiles, path: Buffer): { from: number; to: number } | undefined {
  if (path.length === 0) return { from: 0, to: files.count };
  const exact = firstNotBelow(files, path);
  if (exact < files.count && pathOf(files, exact).equals(path)) return { from: exact, to: exact + 1 };
  const inside = Buffer.concat([path, SLASH]);
  const from = firstNotBelow(files, inside);
  // The character after the slash: everything inside the folder sorts before it.
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
