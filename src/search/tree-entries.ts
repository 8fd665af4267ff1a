/** Goes through the entries of a tree object without making anything for each: whole commits are read with it. */
import { MalformedTree } from '../git/index.ts';

const [NUL, SPACE, ZERO, SEVEN] = [0, 32, 48, 55];
const [KIND_BITS, FOLDER, LINK, SUBMODULE] = [0o170000, 0o040000, 0o120000, 0o160000];

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

  /** Goes to the next entry; false behind the last. */
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
    if (this.#at > bytes) throw new MalformedTree('A tree object is cut off.');
    return true;
  }

  get isFolder(): boolean {
    return this.#kind === FOLDER;
  }

  get isLink(): boolean {
    return this.#kind === LINK;
  }

  /** A submodule stands where a folder would: it is no file of this repository. A link is one. */
  get isFile(): boolean {
    return this.#kind !== FOLDER && this.#kind !== SUBMODULE;
  }
}
