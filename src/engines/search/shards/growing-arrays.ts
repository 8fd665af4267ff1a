/** Growable arrays of bytes and numbers. */

/** So few bytes are copied faster one by one. */
const SHORT_BYTES = 160;

export class GrowingBytes {
  length = 0;
  #held: Buffer;

  constructor(size: number) {
    this.#held = Buffer.allocUnsafe(size);
  }

  add(source: Uint8Array, start: number, end: number): void {
    const needed = this.length + end - start;
    if (needed > this.#held.length) this.#grow(needed);
    if (end - start < SHORT_BYTES) {
      const held = this.#held;
      const shift = this.length - start;
      for (let at = start; at < end; at += 1) held[shift + at] = source[at]!;
    } else this.#held.set(source.subarray(start, end), this.length);
    this.length = needed;
  }

  addByte(value: number): void {
    if (this.length === this.#held.length) this.#grow(this.length + 1);
    this.#held[this.length] = value;
    this.length += 1;
  }

  /** Truncates to this many bytes. */
  cutTo(length: number): void {
    this.length = length;
  }

  /** The bytes so far, possibly with unused space after them; valid until something is added. */
  get held(): Buffer {
    return this.#held;
  }

  /** A copy, or the given bytes if they are the same: then they are in memory once. */
  bytes(known?: Buffer): Buffer {
    const bytes = this.#held.subarray(0, this.length);
    return known && bytes.equals(known) ? known : Buffer.from(bytes);
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#held.length * 2));
    this.#held.copy(larger, 0, 0, this.length);
    this.#held = larger;
  }
}

export class GrowingNumbers {
  length = 0;
  #held: Uint32Array;

  constructor(size: number) {
    this.#held = new Uint32Array(size);
  }

  add(value: number): void {
    this.#reserve(1);
    this.#held[this.length] = value;
    this.length += 1;
  }

  set(index: number, value: number): void {
    this.#held[index] = value;
  }

  addShifted(source: Uint32Array, from: number, to: number, shift: number): void {
    this.#reserve(to - from);
    const held = this.#held;
    const behind = this.length - from;
    for (let at = from; at < to; at += 1) held[behind + at] = source[at]! + shift;
    this.length += to - from;
  }

  /** A copy, or the given numbers if they are the same. */
  numbers(known?: Uint32Array): Uint32Array {
    const numbers = this.#held.subarray(0, this.length);
    return known && bytesIn(numbers).equals(bytesIn(known)) ? known : numbers.slice();
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#held.length) return;
    const larger = new Uint32Array(Math.max(this.length + more, this.#held.length * 2));
    larger.set(this.#held.subarray(0, this.length));
    this.#held = larger;
  }
}

function bytesIn({ buffer, byteLength, byteOffset }: Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
