/** Builds the file list of a commit from its trees; folders shared with another commit are copied from its list. */
import { TreeEntries } from '../../git/index.ts';
import { GrowingBytes, GrowingNumbers } from '../shards/growing-arrays.ts';
import { type CommitFiles, TooManyFiles } from './commit-files.ts';
import type { FolderTable } from './folder-table.ts';

const MAX_FILES = 3_000_000;
const MAX_PATH_BYTES = 512 * 1024 * 1024;
/** After this many entries, it pays to add up the total first. */
const COUNT_AHEAD = 100_000;
export const MAX_DEPTH = 2_000;

/** Another commit, and its folders by tree id. */
export interface LikeCommit {
  files: CommitFiles;
  table: FolderTable;
}

/** The trees of a commit by id, without those that the other commit has. */
export interface CommitTrees {
  rootId: string;
  trees: Map<string, Buffer>;
  like: LikeCommit | undefined;
}

export function layOutFiles(commit: CommitTrees): CommitFiles {
  return new Layout(commit).layOut();
}

const SLASH = 47;

class Layout {
  readonly #commit: CommitTrees;
  readonly #idBytes: number;
  readonly #like: CommitFiles | undefined;
  readonly #paths: GrowingBytes;
  readonly #offsets: GrowingNumbers;
  readonly #ids: GrowingBytes;
  readonly #links: GrowingBytes;
  readonly #folderIds: GrowingBytes;
  readonly #from: GrowingNumbers;
  readonly #to: GrowingNumbers;
  readonly #prefixBytes: GrowingNumbers;
  readonly #ends: GrowingNumbers;
  /** The path of the current folder, including the trailing slash. */
  readonly #prefix = new GrowingBytes(1000);
  #visited = 0;

  constructor(commit: CommitTrees) {
    this.#commit = commit;
    this.#idBytes = commit.rootId.length / 2;
    const like = commit.like?.files;
    this.#like = like;
    // Usually about as much as the other commit has.
    const room = (count = 1000) => count + (count >>> 4) + 1000;
    const [files, folders] = [room(like?.count), room(like?.folders.count)];
    this.#paths = new GrowingBytes(room(like?.paths.length ?? 1 << 16));
    this.#offsets = new GrowingNumbers(files);
    this.#ids = new GrowingBytes(files * this.#idBytes);
    this.#links = new GrowingBytes(files);
    this.#folderIds = new GrowingBytes(folders * this.#idBytes);
    this.#from = new GrowingNumbers(folders);
    this.#to = new GrowingNumbers(folders);
    this.#prefixBytes = new GrowingNumbers(folders);
    this.#ends = new GrowingNumbers(folders);
  }

  layOut(): CommitFiles {
    const { like, rootId } = this.#commit;
    const root = Buffer.from(rootId, 'hex');
    const known = like ? like.table.find(root, 0) : -1;
    this.#offsets.add(0);
    if (known === -1) this.#visit(root, 0, 0);
    else this.#copy(known);
    // Most changes add and remove no file: then only the ids differ.
    const folders = this.#like?.folders;
    return {
      count: this.#links.length,
      idBytes: this.#idBytes,
      paths: this.#paths.bytes(this.#like?.paths),
      pathOffsets: this.#offsets.numbers(this.#like?.pathOffsets),
      ids: this.#ids.bytes(),
      isLink: this.#links.bytes(this.#like?.isLink),
      folders: {
        count: this.#ends.length,
        ids: this.#folderIds.bytes(),
        from: this.#from.numbers(folders?.from),
        to: this.#to.numbers(folders?.to),
        prefixBytes: this.#prefixBytes.numbers(folders?.prefixBytes),
        ends: this.#ends.numbers(folders?.ends),
      },
    };
  }

  /** Adds the tree whose id is at `bytes[idStart]`, with everything below it. */
  #visit(bytes: Buffer, idStart: number, depth: number): void {
    if (depth > MAX_DEPTH) throw tooDeep();
    const idEnd = idStart + this.#idBytes;
    const content = this.#commit.trees.get(bytes.toString('hex', idStart, idEnd))!;
    const folder = this.#ends.length;
    const prefixBytes = this.#prefix.length;
    this.#folderIds.add(bytes, idStart, idEnd);
    this.#from.add(this.#links.length);
    this.#to.add(0);
    this.#prefixBytes.add(prefixBytes);
    this.#ends.add(0);
    const entries = new TreeEntries(content, this.#idBytes);
    while (entries.next()) {
      this.#count(1);
      const { idStart, nameEnd, nameStart } = entries;
      if (entries.isFolder) {
        this.#prefix.add(content, nameStart, nameEnd);
        this.#prefix.addByte(SLASH);
        const known = this.#commit.like?.table.find(content, idStart) ?? -1;
        if (known === -1) this.#visit(content, idStart, depth + 1);
        else this.#copy(known);
        this.#prefix.cutTo(prefixBytes);
      } else if (entries.isFile) {
        this.#paths.add(this.#prefix.held, 0, prefixBytes);
        this.#paths.add(content, nameStart, nameEnd);
        this.#offsets.add(this.#paths.length);
        this.#ids.add(content, idStart, idStart + this.#idBytes);
        this.#links.addByte(entries.isLink ? 1 : 0);
      }
    }
    this.#to.set(folder, this.#links.length);
    this.#ends.set(folder, this.#ends.length);
  }

  /** Copies a folder from the other commit, possibly from another path. */
  #copy(folder: number): void {
    const { held: prefix, length: newPrefixBytes } = this.#prefix;
    const { folders, ids, isLink, pathOffsets, paths } = this.#like!;
    const [from, to] = [folders.from[folder]!, folders.to[folder]!];
    const end = folders.ends[folder]!;
    const prefixBytes = folders.prefixBytes[folder]!;
    this.#count(to - from + end - folder);
    const [files, before] = [this.#links.length - from, this.#ends.length - folder];
    this.#folderIds.add(folders.ids, folder * this.#idBytes, end * this.#idBytes);
    this.#from.addShifted(folders.from, folder, end, files);
    this.#to.addShifted(folders.to, folder, end, files);
    this.#prefixBytes.addShifted(folders.prefixBytes, folder, end, newPrefixBytes - prefixBytes);
    this.#ends.addShifted(folders.ends, folder, end, before);
    this.#ids.add(ids, from * this.#idBytes, to * this.#idBytes);
    this.#links.add(isLink, from, to);
    const start = pathOffsets[from]!;
    if (prefixBytes === newPrefixBytes && isAt(paths, start, prefix, prefixBytes)) {
      // In the same folder, all paths are the same and can be copied at once.
      const shift = this.#paths.length - start;
      this.#paths.add(paths, start, pathOffsets[to]!);
      this.#offsets.addShifted(pathOffsets, from + 1, to + 1, shift);
      return;
    }
    for (let file = from; file < to; file += 1) {
      this.#paths.add(prefix, 0, newPrefixBytes);
      this.#paths.add(paths, pathOffsets[file]! + prefixBytes, pathOffsets[file + 1]!);
      this.#offsets.add(this.#paths.length);
    }
  }

  /** Folders count too: otherwise folders without files could nest without limit. */
  #count(more: number): void {
    const isFirstTime = this.#visited < COUNT_AHEAD;
    this.#visited += more;
    if (isFirstTime && this.#visited >= COUNT_AHEAD) refuseTooMany(this.#commit);
  }
}

function isAt(paths: Buffer, start: number, prefix: Buffer, bytes: number): boolean {
  for (let at = bytes - 1; at >= 0; at -= 1) if (paths[start + at] !== prefix[at]) return false;
  return true;
}

export function tooDeep(): TooManyFiles {
  return new TooManyFiles(`Folders are nested more than ${MAX_DEPTH} levels deep.`);
}

interface TreeSize {
  /** Files and folders. */
  entries: number;
  files: number;
  pathBytes: number;
}

/** Adds up the expanded size, visiting each tree once no matter how often it occurs. */
function refuseTooMany({ like, rootId, trees }: CommitTrees): void {
  const idBytes = rootId.length / 2;
  const known = new Map<string, TreeSize>();
  const measure = (id: string, depth: number): TreeSize => {
    const before = known.get(id);
    if (before) return before;
    if (depth > MAX_DEPTH) throw tooDeep();
    const content = trees.get(id);
    const size: TreeSize = { entries: 0, files: 0, pathBytes: 0 };
    known.set(id, size);
    if (!content) return Object.assign(size, sizeIn(like!, id));
    const entries = new TreeEntries(content, idBytes);
    while (entries.next()) {
      const { idStart, nameEnd, nameStart } = entries;
      size.entries += 1;
      if (entries.isFolder) {
        const inside = measure(content.toString('hex', idStart, idStart + idBytes), depth + 1);
        size.entries += inside.entries;
        size.files += inside.files;
        size.pathBytes += inside.pathBytes + inside.files * (nameEnd - nameStart + 1);
      } else if (entries.isFile) {
        size.files += 1;
        size.pathBytes += nameEnd - nameStart;
      }
    }
    return size;
  };
  const { entries, pathBytes } = measure(rootId, 0);
  if (entries <= MAX_FILES && pathBytes <= MAX_PATH_BYTES) return;
  throw new TooManyFiles(`There are more than ${MAX_FILES} files and folders, or their paths are too long.`);
}

/** For a tree that the other commit has. */
function sizeIn({ files, table }: LikeCommit, id: string): TreeSize {
  const { ends, from, prefixBytes, to } = files.folders;
  const folder = table.find(Buffer.from(id, 'hex'), 0);
  const [first, behind] = [from[folder]!, to[folder]!];
  const pathBytes = files.pathOffsets[behind]! - files.pathOffsets[first]!;
  return {
    entries: behind - first + ends[folder]! - folder,
    files: behind - first,
    pathBytes: pathBytes - (behind - first) * prefixBytes[folder]!,
  };
}
