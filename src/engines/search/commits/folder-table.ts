/** Finds folders of a commit by tree id: a hash table with open addressing over ids in a buffer. */
import { randomInt } from 'node:crypto';
import type { CommitFiles } from './commit-files.ts';

/** A random factor, so that nobody can craft trees that all collide. Odd, so that no bit of an id is lost. */
const FACTOR = randomInt(2 ** 31) * 2 + 1;

export class FolderTable {
  readonly #ids: Buffer;
  readonly #idBytes: number;
  readonly #shift: number;
  /** The number of a folder plus one; 0 for an empty slot. */
  readonly #places: Uint32Array;

  constructor({ folders, idBytes }: CommitFiles) {
    const bits = Math.ceil(Math.log2(folders.count * 2 + 2));
    this.#ids = folders.ids;
    this.#idBytes = idBytes;
    this.#shift = 32 - bits;
    this.#places = new Uint32Array(2 ** bits);
    for (let folder = 0; folder < folders.count; folder += 1) {
      const place = this.#find(folders.ids, folder * idBytes);
      // The same tree can occur in many places; any of them will do.
      if (this.#places[place] === 0) this.#places[place] = folder + 1;
    }
  }

  /** The first folder with the id at `bytes[start]`; -1 when there is none. */
  find(bytes: Buffer, start: number): number {
    return this.#places[this.#find(bytes, start)]! - 1;
  }

  /** The slot of the id, or the empty slot where it belongs. */
  #find(bytes: Buffer, start: number): number {
    const word =
      bytes[start]! | (bytes[start + 1]! << 8) | (bytes[start + 2]! << 16) | (bytes[start + 3]! << 24);
    const last = this.#places.length - 1;
    let place = Math.imul(word, FACTOR) >>> this.#shift;
    for (;;) {
      const folder = this.#places[place]!;
      if (folder === 0 || this.#isSame((folder - 1) * this.#idBytes, bytes, start)) return place;
      place = place === last ? 0 : place + 1;
    }
  }

  #isSame(own: number, bytes: Buffer, start: number): boolean {
    for (let at = 0; at < this.#idBytes; at += 1) {
      if (this.#ids[own + at] !== bytes[start + at]) return false;
    }
    return true;
  }
}
