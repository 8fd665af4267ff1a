/** Numbers as LEB128: seven bits a byte, the lowest first. */

export class NumberWriter {
  length = 0;
  #bytes = Buffer.allocUnsafe(1 << 16);

  add(value: number): void {
    if (this.length + 5 > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(this.#bytes.length * 2);
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.length] = (rest & 127) | 128;
      this.length += 1;
      rest >>>= 7;
    }
    this.#bytes[this.length] = rest;
    this.length += 1;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }
}

export class NumberReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  next(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at]!;
      this.#at += 1;
      value |= (byte & 127) << shift;
      if (byte < 128 || this.#at >= this.#bytes.length) return value >>> 0;
    }
  }

  skip(count: number): void {
    for (let left = count; left > 0 && !this.isAtEnd; this.#at += 1) {
      if (this.#bytes[this.#at]! < 128) left -= 1;
    }
  }
}
