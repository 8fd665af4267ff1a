/**
 * The layout of a shard: two files with the same name.
 *
 * `NAME.text` is the content of the blobs, one after another, each ending with a line feed (added if missing), so that
 * ripgrep can scan the whole file and no line spans two blobs.
 *
 * `NAME.index` contains, with all numbers little-endian and each section aligned to eight bytes:
 *   header    64 bytes, see below
 *   ids       the blobs' ids, in the order of their texts
 *   kinds     a byte a blob: text, binary, too large
 *   offsets   u32 a blob: where its text begins
 *   lengths   u32 a blob: how long it is, without the line feed that was added
 *   parts     u32 a part: where its text begins. A long blob has several, each of whole lines; every other has one.
 *             A very long line has several too, and each of those also counts the first bytes of the next
 *   owners    u32 a part: the number of its blob
 *   groups    u32 a part: the first part of the same line, when the line has several; else the part itself
 *   trigrams  u32 each, ascending: three bytes, ASCII letters in lower case, none of them a line feed
 *   starts    u32 a trigram and one more: where its postings begin
 *   postings  the numbers of the parts that hold the trigram, ascending, as differences in LEB128
 *   checksum  u32: CRC-32 of everything before it
 *
 * Shards are immutable. The text is written and renamed first, so an index file always has its text.
 */

export const FORMAT_VERSION = 1;
/** How many bytes of the next part of the same line also count toward a part: words up to this length are within one part. */
export const OVERLAP_BYTES = 512;
export const HEADER_BYTES = 64;
const MAGIC = 0x58495343; // "CSIX"

export const BLOB_KINDS = { text: 0, binary: 1, tooLarge: 2 } as const;

export interface ShardHeader {
  idBytes: number;
  blobCount: number;
  partCount: number;
  trigramCount: number;
  postingBytes: number;
  textBytes: number;
  textChecksum: number;
}

export interface ShardLayout {
  ids: number;
  kinds: number;
  offsets: number;
  lengths: number;
  parts: number;
  owners: number;
  groups: number;
  trigrams: number;
  starts: number;
  postings: number;
  checksum: number;
  end: number;
}

export function layoutOf(header: ShardHeader): ShardLayout {
  const { blobCount, idBytes, partCount, postingBytes, trigramCount } = header;
  let at = HEADER_BYTES;
  const section = (bytes: number): number => {
    const start = at;
    at += Math.ceil(bytes / 8) * 8;
    return start;
  };
  const ids = section(blobCount * idBytes);
  const kinds = section(blobCount);
  const offsets = section(blobCount * 4);
  const lengths = section(blobCount * 4);
  const parts = section(partCount * 4);
  const owners = section(partCount * 4);
  const groups = section(partCount * 4);
  const trigrams = section(trigramCount * 4);
  const starts = section((trigramCount + 1) * 4);
  const postings = section(postingBytes);
  return {
    ids,
    kinds,
    offsets,
    lengths,
    parts,
    owners,
    groups,
    trigrams,
    starts,
    postings,
    checksum: at,
    end: at + 4,
  };
}

export function writeHeader(header: ShardHeader): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(FORMAT_VERSION, 4);
  bytes.writeUInt32LE(header.idBytes, 8);
  bytes.writeUInt32LE(header.blobCount, 12);
  bytes.writeUInt32LE(header.trigramCount, 16);
  bytes.writeUInt32LE(header.postingBytes, 20);
  bytes.writeUInt32LE(header.textBytes, 24);
  bytes.writeUInt32LE(header.textChecksum, 28);
  bytes.writeUInt32LE(header.partCount, 32);
  return bytes;
}

/** Undefined when this isn't a header of this version. */
export function readHeader(bytes: Buffer): ShardHeader | undefined {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== MAGIC) return undefined;
  if (bytes.readUInt32LE(4) !== FORMAT_VERSION) return undefined;
  return {
    idBytes: bytes.readUInt32LE(8),
    blobCount: bytes.readUInt32LE(12),
    trigramCount: bytes.readUInt32LE(16),
    postingBytes: bytes.readUInt32LE(20),
    textBytes: bytes.readUInt32LE(24),
    textChecksum: bytes.readUInt32LE(28),
    partCount: bytes.readUInt32LE(32),
  };
}
