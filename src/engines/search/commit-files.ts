/** All files of a commit in byte order of their paths, held compactly: the paths in one run of bytes, the ids in another. */

export interface CommitFiles {
  count: number;
  idBytes: number;
  /** The paths, one after another; the one of file `i` is between offsets `i` and `i + 1`. */
  paths: Buffer;
  pathOffsets: Uint32Array;
  ids: Buffer;
  /** 1 where the file is a symbolic link. */
  isLink: Uint8Array;
  folders: Folders;
}

/** The folders of a commit, each before those in it: the root comes first. */
export interface Folders {
  count: number;
  /** Of their trees. */
  ids: Buffer;
  /** The files in each, also those in folders in it: a range of numbers. */
  from: Uint32Array;
  to: Uint32Array;
  /** How long the path of each is, with the slash behind it. */
  prefixBytes: Uint32Array;
  /** The number of the first folder behind each that is not in it. */
  ends: Uint32Array;
}

/** What a repository lacks although a commit names it, as in a partial clone, or what is not a commit at all. */
export class MissingObject extends Error {}

/** A tree that names itself over and over grows without end when it is written out. */
export class TooManyFiles extends Error {}

/** Held in memory, roughly. */
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
