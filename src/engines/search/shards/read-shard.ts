/** Opens and reads shards: tables are kept in memory, texts and postings are read on demand. */
import { closeSync, fstatSync } from 'node:fs';
import { createBoundedCache } from '../../../platform/core/work/bounded-cache.ts';
import { checksumOf, openFiles, readAt, readInto, readStart, readTables } from '../../shards/index.ts';
import { HEADER_BYTES, layoutOf, readHeader, type ShardHeader, type ShardLayout } from './shard-format.ts';
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

/** For all shards together. Common trigrams occur in most searches; little memory also keeps starting programs fast. */
const MAX_BITS_BYTES = 8 * 1024 * 1024;

const keptBits = createBoundedCache<Uint32Array>(MAX_BITS_BYTES);
let openings = 0;

/** Undefined when the shard is damaged or of another version. */
export function openShard(folder: string, name: string, idBytes: number): Shard | undefined {
  const textFile = `${folder}/${name}.text`;
  return openFiles([`${folder}/${name}.index`, textFile], ([index, text]) => {
    const verified = verify(index!, text!, idBytes);
    return verified && readShard(name, textFile, index!, text!, verified);
  });
}

interface Verified {
  header: ShardHeader;
  layout: ShardLayout;
  tables: Buffer;
}

/** The text is too large to be verified each time; see `checkText`. */
function verify(index: number, text: number, idBytes: number): Verified | undefined {
  const header = readHeader(readStart(index, HEADER_BYTES));
  if (!header || header.idBytes !== idBytes || fstatSync(text).size !== header.textBytes) return undefined;
  const layout = layoutOf(header);
  const tables = readTables(index, layout.postings, layout.checksum);
  return tables && { header, layout, tables };
}

function readShard(
  name: string,
  textFile: string,
  index: number,
  text: number,
  { header, layout, tables }: Verified,
): Shard {
  openings += 1;
  const owner = openings;
  const { blobCount, idBytes, textBytes, trigramCount } = header;
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
    readInto: (target, at, from, bytes) => readInto(text, target, at, from, bytes),
    checkText: () => checksumOf(text, 0, textBytes) === header.textChecksum,
    ...closeWhenUnused([index, text]),
  };
}

/** A search may still read a shard that has just been merged into another. */
function closeWhenUnused(files: number[]): Pick<Shard, 'keepOpen' | 'close'> {
  let isClosed = false;
  let users = 0;
  const closeUnused = () => {
    if (isClosed && users === 0) for (const file of files) closeSync(file);
  };
  return {
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

function findNumber(sorted: Uint32Array, wanted: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === wanted ? low : -1;
}
