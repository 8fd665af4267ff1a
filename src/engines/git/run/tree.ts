/** Parses tree objects: entries with a mode, a name in bytes, and an object id. */

export type EntryMode = 'folder' | 'file' | 'symlink' | 'submodule';

export interface TreeEntryBytes {
  mode: EntryMode;
  /** The offsets of the name in the tree's content. */
  nameStart: number;
  nameEnd: number;
  /** The offset of the id, which is as long as the repository's ids. */
  idStart: number;
}

/** A damaged or malicious object. */
export class MalformedTree extends Error {}

const [NUL, SPACE, ZERO, SEVEN] = [0, 32, 48, 55];
/** Modes are octal digits without leading zeros: 40000, 100644, 100755 (100664 in old trees), 120000, 160000. */
const [KIND_BITS, FOLDER, LINK, SUBMODULE] = [0o170000, 0o040000, 0o120000, 0o160000];

/** Iterates over the entries without allocating for each, because it reads whole commits. */
export class TreeEntries {
  nameStart = 0;
  nameEnd = 0;
  idStart = 0;
  readonly #content: Buffer;
  readonly #idBytes: number;
  #at = 0;
  #kind = 0;

  constructor(content: Buffer, idBytes: number) {
    this.#content = content;
    this.#idBytes = idBytes;
  }

  /** Moves to the next entry; false after the last. */
  next(): boolean {
    const content = this.#content;
    const bytes = content.length;
    let at = this.#at;
    if (at >= bytes) return false;
    let mode = 0;
    for (; at < bytes && content[at] !== SPACE; at += 1) {
      const digit = content[at]!;
      mode = digit >= ZERO && digit <= SEVEN ? (mode << 3) | (digit - ZERO) : 0;
    }
    this.#kind = mode & KIND_BITS;
    at += 1;
    this.nameStart = at;
    while (at < bytes && content[at] !== NUL) at += 1;
    this.nameEnd = at;
    this.idStart = at + 1;
    this.#at = at + 1 + this.#idBytes;
    if (this.#at > bytes) throw new MalformedTree('A tree object is truncated.');
    return true;
  }

  get isFolder(): boolean {
    return this.#kind === FOLDER;
  }

  get isLink(): boolean {
    return this.#kind === LINK;
  }

  /** A submodule is neither a folder nor a file of this repository. A symbolic link is a file. */
  get isFile(): boolean {
    return this.#kind !== FOLDER && this.#kind !== SUBMODULE;
  }

  get mode(): EntryMode {
    if (this.#kind === FOLDER) return 'folder';
    if (this.#kind === LINK) return 'symlink';
    return this.#kind === SUBMODULE ? 'submodule' : 'file';
  }
}

/** The same entries as objects, where speed doesn't matter. */
export function* parseTree(content: Buffer, idBytes: number): Generator<TreeEntryBytes> {
  const entries = new TreeEntries(content, idBytes);
  while (entries.next()) {
    const { idStart, mode, nameEnd, nameStart } = entries;
    yield { mode, nameStart, nameEnd, idStart };
  }
}
