/** Collects which trigrams occur in which blobs, and writes them as sorted lists. */

const TRIGRAMS = 1 << 24;
const LINE_FEED = 10;

/** Each byte as indexed: ASCII letters are lowercased. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));

export interface TrigramLists {
  /** Ascending. */
  trigrams: Uint32Array;
  /** The start of each list, followed by the end of the last. */
  starts: Uint32Array;
  postings: Buffer;
}

/** Tables over all trigrams; untouched pages cost nothing. */
export class TrigramCollector {
  #lastBlob = new Uint32Array(TRIGRAMS);
  #counts = new Uint32Array(TRIGRAMS);
  #distinct: number[] = [];
  #pairs = new GrowingPairs();
  #blob = 0;

  /** Blobs are numbered from 0 in the order in which they are added. */
  add(text: Uint8Array): void {
    this.#blob += 1;
    const [blob, lastBlob, counts, pairs] = [this.#blob, this.#lastBlob, this.#counts, this.#pairs];
    let window = 0;
    // How many bytes of the window belong to this line: three are needed.
    let filled = 0;
    for (let at = 0; at < text.length; at += 1) {
      const byte = FOLDED[text[at]!]!;
      if (byte === LINE_FEED) {
        filled = 0;
        continue;
      }
      window = ((window << 8) | byte) & 0xffffff;
      filled += 1;
      if (filled < 3 || lastBlob[window] === blob) continue;
      lastBlob[window] = blob;
      if (counts[window] === 0) this.#distinct.push(window);
      counts[window]! += 1;
      pairs.add(window, blob - 1);
    }
  }

  /** Returns the lists of everything added and empties the collector for reuse. */
  finish(): TrigramLists {
    const trigrams = Uint32Array.from(this.#distinct).sort();
    const counts = this.#counts;
    // Counting sort: `counts` becomes the position of each trigram's next blob.
    const blobs = new Uint32Array(this.#pairs.length);
    let place = 0;
    for (const trigram of trigrams) {
      const count = counts[trigram]!;
      counts[trigram] = place;
      place += count;
    }
    this.#pairs.each((trigram, blob) => {
      const next = counts[trigram]!;
      blobs[next] = blob;
      counts[trigram] = next + 1;
    });
    const starts = new Uint32Array(trigrams.length + 1);
    const bytes = Buffer.allocUnsafe(blobs.length * 5);
    let [at, written] = [0, 0];
    trigrams.forEach((trigram, index) => {
      starts[index] = written;
      const end = counts[trigram]!;
      let previous = -1;
      for (; at < end; at += 1) {
        let difference = blobs[at]! - previous - 1;
        previous = blobs[at]!;
        while (difference >= 128) {
          bytes[written] = (difference & 127) | 128;
          written += 1;
          difference >>>= 7;
        }
        bytes[written] = difference;
        written += 1;
      }
      counts[trigram] = 0;
      this.#lastBlob[trigram] = 0;
    });
    starts[trigrams.length] = written;
    this.#distinct = [];
    this.#pairs = new GrowingPairs();
    this.#blob = 0;
    return { trigrams, starts, postings: bytes.subarray(0, written) };
  }
}

const CHUNK_PAIRS = 1 << 20;

/** Pairs of a trigram and a blob, in chunks, so that growing copies nothing. */
class GrowingPairs {
  length = 0;
  #chunks: Uint32Array[] = [];
  #current = new Uint32Array(0);
  #at = 0;

  add(trigram: number, blob: number): void {
    if (this.#at === this.#current.length) {
      this.#current = new Uint32Array(2 * CHUNK_PAIRS);
      this.#chunks.push(this.#current);
      this.#at = 0;
    }
    this.#current[this.#at] = trigram;
    this.#current[this.#at + 1] = blob;
    this.#at += 2;
    this.length += 1;
  }

  each(take: (trigram: number, blob: number) => void): void {
    let rest = this.length;
    for (const chunk of this.#chunks) {
      const pairs = Math.min(rest, CHUNK_PAIRS);
      for (let at = 0; at < pairs * 2; at += 2) take(chunk[at]!, chunk[at + 1]!);
      rest -= pairs;
    }
  }
}

/** The parts of a list, ascending. */
export function readPostings(bytes: Uint8Array): Uint32Array {
  const parts = new Uint32Array(bytes.length);
  let [count, at, previous] = [0, 0, -1];
  while (at < bytes.length) {
    let [difference, shift] = [0, 0];
    let byte = bytes[at]!;
    at += 1;
    while (byte >= 128) {
      difference |= (byte & 127) << shift;
      shift += 7;
      byte = bytes[at]!;
      at += 1;
    }
    difference |= byte << shift;
    previous += difference + 1;
    parts[count] = previous;
    count += 1;
  }
  return parts.subarray(0, count);
}

/** Sets the bits of a list's parts. */
export function setPostingBits(bytes: Uint8Array, bits: Uint32Array): void {
  for (const part of readPostings(bytes)) bits[part >>> 5]! |= 1 << (part & 31);
}
