/** Writes a shard: the text as it arrives, then the index; complete and synced before it becomes visible. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { newShardName, syncFolder, writeSynced, writeWhole } from '../../shards/index.ts';
import { BLOB_KINDS, layoutOf, OVERLAP_BYTES, type ShardHeader, writeHeader } from './shard-format.ts';
import type { TrigramCollector } from './trigrams.ts';

const WRITE_BYTES = 1 << 20;
const LINE_FEED = 10;
const PART_BYTES = 8 * 1024;
const NOTHING = Buffer.alloc(0);

export class ShardWriter {
  textBytes = 0;
  blobCount = 0;
  #folder: string;
  #name: string;
  #collector: TrigramCollector;
  #idBytes: number;
  #text: number;
  #checksum = 0;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #ids: Buffer[] = [];
  #kinds: number[] = [];
  #offsets: number[] = [];
  #lengths: number[] = [];
  #parts: number[] = [];
  #owners: number[] = [];
  #groups: number[] = [];

  /** The collector must be empty, and is again after `finish` and `abandon`; its tables are large, so all shards share it. */
  constructor(folder: string, idBytes: number, collector: TrigramCollector) {
    this.#folder = folder;
    this.#name = newShardName();
    this.#collector = collector;
    this.#idBytes = idBytes;
    this.#text = openSync(this.#path('text.new'), 'wx', 0o600);
  }

  addText(id: Buffer, bytes: Buffer): void {
    this.#note(id, BLOB_KINDS.text, bytes.length);
    for (const { from, overlap, startsLine, to } of partsOf(bytes)) {
      this.#notePart(this.textBytes + from, startsLine);
      this.#collector.add(bytes.subarray(from, to + overlap));
    }
    this.#write(Buffer.from(bytes));
    if (bytes.length > 0 && bytes.at(-1) !== LINE_FEED) this.#write(Buffer.from([LINE_FEED]));
  }

  /** Records a blob that isn't searchable, so that it isn't read again. */
  addOther(id: Buffer, kind: 'binary' | 'tooLarge'): void {
    this.#note(id, BLOB_KINDS[kind], 0);
    this.#notePart(this.textBytes, true);
    this.#collector.add(NOTHING);
  }

  /** Moves the shard into place, or leaves nothing behind on failure. */
  finish(): void {
    try {
      this.#finish();
    } catch (error) {
      this.abandon();
      throw error;
    }
    syncFolder(this.#folder);
  }

  #finish(): void {
    this.#flush();
    const { postings, starts, trigrams } = this.#collector.finish();
    const header: ShardHeader = {
      idBytes: this.#idBytes,
      blobCount: this.blobCount,
      partCount: this.#parts.length,
      trigramCount: trigrams.length,
      postingBytes: postings.length,
      textBytes: this.textBytes,
      textChecksum: this.#checksum,
    };
    const layout = layoutOf(header);
    const index = Buffer.alloc(layout.end);
    writeHeader(header).copy(index);
    Buffer.concat(this.#ids).copy(index, layout.ids);
    Buffer.from(this.#kinds).copy(index, layout.kinds);
    bytesOf(Uint32Array.from(this.#offsets)).copy(index, layout.offsets);
    bytesOf(Uint32Array.from(this.#lengths)).copy(index, layout.lengths);
    bytesOf(Uint32Array.from(this.#parts)).copy(index, layout.parts);
    bytesOf(Uint32Array.from(this.#owners)).copy(index, layout.owners);
    bytesOf(Uint32Array.from(this.#groups)).copy(index, layout.groups);
    bytesOf(trigrams).copy(index, layout.trigrams);
    bytesOf(starts).copy(index, layout.starts);
    postings.copy(index, layout.postings);
    index.writeUInt32LE(crc32(index.subarray(0, layout.checksum)), layout.checksum);

    fsyncSync(this.#text);
    this.#closeText();
    renameSync(this.#path('text.new'), this.#path('text'));
    writeSynced(this.#path('index.new'), index);
    renameSync(this.#path('index.new'), this.#path('index'));
  }

  /** Leaves nothing behind. */
  abandon(): void {
    this.#closeText();
    this.#collector.finish();
    for (const ending of ['text.new', 'text', 'index.new']) rmSync(this.#path(ending), { force: true });
  }

  #closeText(): void {
    if (this.#text !== -1) closeSync(this.#text);
    this.#text = -1;
  }

  #path(ending: string): string {
    return join(this.#folder, `${this.#name}.${ending}`);
  }

  #note(id: Buffer, kind: number, length: number): void {
    this.#ids.push(Buffer.from(id));
    this.#kinds.push(kind);
    this.#offsets.push(this.textBytes);
    this.#lengths.push(length);
    this.blobCount += 1;
  }

  /** For the most recently added blob. */
  #notePart(start: number, startsLine: boolean): void {
    this.#groups.push(startsLine ? this.#parts.length : this.#groups.at(-1)!);
    this.#parts.push(start);
    this.#owners.push(this.blobCount - 1);
  }

  #write(bytes: Buffer): void {
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    this.textBytes += bytes.length;
    if (this.#pendingBytes >= WRITE_BYTES) this.#flush();
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#checksum = crc32(bytes, this.#checksum);
    writeWhole(this.#text, bytes);
  }
}

/** A long text contains nearly every trigram, so it is indexed in parts that end at line ends, or within very long lines. */
function* partsOf(
  bytes: Buffer,
): Generator<{ from: number; to: number; overlap: number; startsLine: boolean }> {
  let from = 0;
  let startsLine = true;
  do {
    const lineEnd = endOfLine(bytes, from + PART_BYTES - 1);
    // A very long line is cut anywhere; lines that fit are kept whole.
    const isWhole = lineEnd - from <= 2 * PART_BYTES;
    const before: number =
      startsLine && !isWhole ? bytes.lastIndexOf(LINE_FEED, from + PART_BYTES - 1) + 1 : 0;
    const to: number = isWhole ? lineEnd : before > from ? before : from + PART_BYTES;
    const isCut: boolean = !isWhole && to === from + PART_BYTES && bytes[to - 1] !== LINE_FEED;
    yield { from, to, overlap: isCut ? Math.min(OVERLAP_BYTES, lineEnd - to) : 0, startsLine };
    from = to;
    startsLine = !isCut;
  } while (from < bytes.length);
}

/** The offset after the line at an offset. */
function endOfLine(bytes: Buffer, place: number): number {
  if (place >= bytes.length) return bytes.length;
  const found = bytes.indexOf(LINE_FEED, place);
  return found === -1 ? bytes.length : found + 1;
}

/** The format and all supported machines are little-endian. */
function bytesOf(numbers: Uint32Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
