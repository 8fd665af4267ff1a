/** Opens and reads shards: tables are kept in memory, texts and postings are read on demand. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { errorCode } from '../../../platform/core/errors/start-failure.ts';
import { createBoundedCache } from '../../../platform/core/work/bounded-cache.ts';
import { HEADER_BYTES, layoutOf, readHeader } from './shard-format.ts';
import { readPostings, setPostingBits } from './trigrams.ts';

export interface Shard {
  name: string;
  blobCount: number;
  textBytes: number;
  textFile: string;
  ids: Buffer;
  kinds: Uint8Array;
  offsets: Uint32Array;
  lengths: Uint32Array;
  /** The start of each part's text, and the blob it belongs to. */
  parts: Uint32Array;
  owners: Uint32Array;
  /** The first part of each part's line. */
  groups: Uint32Array;
  /** The length of a trigram's list in bytes; 0 when no part contains it. */
  listBytes(trigram: number): number;
  /** The parts that contain a trigram, ascending. */
  list(trigram: number): Uint32Array;
  /** The same as one bit per part, which is kept in memory for a while. */
  bits(trigram: number): Uint32Array;
  /** Whether `bits` is in memory. */
  hasBits(trigram: number): boolean;
  /** A blob's text as indexed, or a piece of it. */
  readText(blob: number, range?: { from: number; to: number }): Buffer;
  /** Reads text at any offset into a buffer. */
  readInto(target: Buffer, at: number, from: number, bytes: number): void;
  /** Whether the text still matches its checksum. */
  checkText(): boolean;
  /** Keeps its files open until the returned function is called, even if the shard is closed before. */
  keepOpen(): () => void;
  close(): void;
}

const CHECK_BYTES = 1 << 20;
/** For all shards together. Common trigrams occur in most searches; little memory also keeps starting programs fast. */
const MAX_BITS_BYTES = 8 * 1024 * 1024;

const keptBits = createBoundedCache<Uint32Array>(MAX_BITS_BYTES);
let openings = 0;

/** Undefined when the shard is damaged or of another version. */
export function openShard(folder: string, name: string, idBytes: number): Shard | undefined {
  const textFile = `${folder}/${name}.text`;
  let [index, text] = [-1, -1];
  let shard: Shard | undefined;
  try {
    index = openSync(`${folder}/${name}.index`, 'r');
    text = openSync(textFile, 'r');
    shard = readTables(name, textFile, index, text, idBytes);
    return shard;
  } catch (error) {
    // Too many open files doesn't mean that this one is damaged, and an intact shard must not be deleted for it.
    if (['EMFILE', 'ENFILE', 'EACCES', 'EIO'].includes(errorCode(error) ?? '')) throw error;
    return undefined;
  } finally {
    if (!shard) for (const file of [index, text]) if (file !== -1) closeSync(file);
  }
}

function readTables(
  name: string,
  textFile: string,
  index: number,
  text: number,
  idBytes: number,
): Shard | undefined {
  const size = fstatSync(index).size;
  const header = readHeader(readAt(index, 0, Math.min(size, HEADER_BYTES)));
  if (!header || header.idBytes !== idBytes) return undefined;
  const layout = layoutOf(header);
  if (size !== layout.end || fstatSync(text).size !== header.textBytes) return undefined;
  const tables = readAt(index, 0, layout.postings);
  let checksum = crc32(tables);
  checksum = checksumOf(index, layout.postings, layout.checksum, checksum);
  if (readAt(index, layout.checksum, 4).readUInt32LE(0) !== checksum) return undefined;

  openings += 1;
  const owner = openings;
  let isClosed = false;
  let users = 0;
  const closeUnused = () => {
    if (!isClosed || users > 0) return;
    closeSync(index);
    closeSync(text);
  };
  const { blobCount, textBytes, trigramCount } = header;
  const numbers = (at: number, count: number) =>
    new Uint32Array(tables.buffer, tables.byteOffset + at, count);
  const trigrams = numbers(layout.trigrams, trigramCount);
  const starts = numbers(layout.starts, trigramCount + 1);
  const offsets = numbers(layout.offsets, blobCount);
  const lengths = numbers(layout.lengths, blobCount);
  const postings = (trigram: number) => {
    const place = findNumber(trigrams, trigram);
    return place === -1
      ? Buffer.alloc(0)
      : readAt(index, layout.postings + starts[place]!, starts[place + 1]! - starts[place]!);
  };
  return {
    name,
    blobCount,
    textBytes,
    textFile,
    ids: tables.subarray(layout.ids, layout.ids + blobCount * idBytes),
    kinds: tables.subarray(layout.kinds, layout.kinds + blobCount),
    offsets,
    lengths,
    parts: numbers(layout.parts, header.partCount),
    owners: numbers(layout.owners, header.partCount),
    groups: numbers(layout.groups, header.partCount),
    listBytes(trigram) {
      const place = findNumber(trigrams, trigram);
      return place === -1 ? 0 : starts[place + 1]! - starts[place]!;
    },
    list: (trigram) => readPostings(postings(trigram)),
    bits(trigram) {
      const key = `${owner} ${trigram}`;
      const known = keptBits.get(key);
      if (known) return known;
      const bits = new Uint32Array((header.partCount + 31) >>> 5);
      setPostingBits(postings(trigram), bits);
      keptBits.set(key, bits, bits.byteLength + 200);
      return bits;
    },
    hasBits: (trigram) => keptBits.has(`${owner} ${trigram}`),
    readText: (blob, { from, to } = { from: 0, to: lengths[blob]! }) =>
      readAt(text, offsets[blob]! + from, to - from),
    readInto(target, at, from, bytes) {
      readWhole(text, target, at, from, bytes);
    },
    checkText() {
      return checksumOf(text, 0, textBytes, 0) === header.textChecksum;
    },
    keepOpen() {
      users += 1;
      return () => {
        users -= 1;
        closeUnused();
      };
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      closeUnused();
    },
  };
}

/** Continues a checksum over a range of a file. */
function checksumOf(file: number, from: number, to: number, before: number): number {
  const buffer = Buffer.allocUnsafe(CHECK_BYTES);
  let checksum = before;
  for (let at = from; at < to; at += CHECK_BYTES) {
    const bytes = Math.min(CHECK_BYTES, to - at);
    readWhole(file, buffer, 0, at, bytes);
    checksum = crc32(buffer.subarray(0, bytes), checksum);
  }
  return checksum;
}

function findNumber(sorted: Uint32Array, wanted: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === wanted ? low : -1;
}

/** A separate allocation, so that numbers in it are aligned. */
function readAt(file: number, from: number, bytes: number): Buffer {
  const target = Buffer.from(new ArrayBuffer(bytes));
  readWhole(file, target, 0, from, bytes);
  return target;
}

function readWhole(file: number, target: Buffer, at: number, from: number, bytes: number): void {
  let done = 0;
  while (done < bytes) {
    const read = readSync(file, target, at + done, bytes - done, from + done);
    if (read === 0) throw new Error('An index file is shorter than expected.');
    done += read;
  }
}
