/** Opens and reads shards of facts: what every request needs is kept in memory, the rest is read on demand. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32, inflateRawSync } from 'node:zlib';
import { errorCode } from '../../../platform/core/errors/start-failure.ts';
import type {
  Fact,
  FileFacts,
  ImportedModule,
  SymbolDefinition,
} from '../../../platform/core/ports/code-facts.ts';
import { LANGUAGES } from '../language.ts';
import { extractionVersion } from './extraction-version.ts';
import { NumberReader } from './numbers.ts';
import { HEADER_BYTES, INCOMPLETE, layoutOf, PATH_BYTES, readHeader } from './shard-format.ts';

/** A file that defines or uses a name. */
export interface NamePosting {
  file: number;
  definitions: number;
  /** The number of lines that use it. */
  uses: number;
}

/** Known without reading the file's record. */
export type FileSummary = Pick<FileFacts, 'language' | 'lines' | 'isGenerated' | 'incomplete'>;

export interface FactShard {
  name: string;
  fileCount: number;
  /** The keys of all files, each the id of a blob and the checksum of a path. */
  keys: Buffer;
  summary(file: number): FileSummary;
  facts(file: number): Fact[];
  symbols(file: number): { symbols: SymbolDefinition[]; imports: ImportedModule[] };
  uses(file: number): FileFacts['uses'];
  /** The number of a name; -1 when no file has it. */
  findName(name: string): number;
  postings(name: number): NamePosting[];
  /** The lines in which a file uses a name. */
  linesOf(file: number, name: number): number[];
  close(): void;
}

const CHECK_BYTES = 1 << 20;

/** The names of one shard at a time: files that are read one after another are mostly in the same one. */
let lastNames: { owner: Buffer; starts: Buffer; names: Buffer } | undefined;

/** Undefined when the shard is damaged or of another version. */
export function openShard(folder: string, name: string, idBytes: number): FactShard | undefined {
  let file = -1;
  let shard: FactShard | undefined;
  try {
    file = openSync(`${folder}/${name}.facts`, 'r');
    shard = readTables(name, file, idBytes);
    return shard;
  } catch (error) {
    // Too many open files doesn't mean that this one is damaged.
    if (['EMFILE', 'ENFILE', 'EACCES', 'EIO'].includes(errorCode(error) ?? '')) throw error;
    return undefined;
  } finally {
    if (!shard && file !== -1) closeSync(file);
  }
}

function readTables(shardName: string, file: number, idBytes: number): FactShard | undefined {
  const { size } = fstatSync(file);
  const header = readHeader(readAt(file, 0, Math.min(size, HEADER_BYTES)));
  if (header?.idBytes !== idBytes || header.extraction !== extractionVersion()) return undefined;
  const layout = layoutOf(header);
  if (size !== layout.checksum + 4) return undefined;
  if (readAt(file, layout.checksum, 4).readUInt32LE(0) !== checksumOf(file, layout.checksum))
    return undefined;
  const { fileCount, nameCount } = header;
  const tables = readAt(file, 0, layout.nameStarts);
  const table = (at: number, count: number) => new Uint32Array(tables.buffer, tables.byteOffset + at, count);
  const lines = table(layout.lines, fileCount);
  const factStarts = table(layout.factStarts, fileCount + 1);
  const symbolStarts = table(layout.symbolStarts, fileCount + 1);
  const useStarts = table(layout.useStarts, fileCount + 1);
  const piece = (section: number, starts: Uint32Array, number: number) =>
    readAt(file, section + starts[number]!, starts[number + 1]! - starts[number]!);
  /** Names are many, so their tables stay in the file. */
  const namePiece = (starts: number, section: number, number: number) => {
    const range = readAt(file, starts + number * 4, 8);
    const [from, to] = [range.readUInt32LE(0), range.readUInt32LE(4)];
    return readAt(file, section + from, to - from);
  };
  const nameAt = (number: number) => namePiece(layout.nameStarts, layout.names, number).toString();
  const allNames = () => {
    if (lastNames?.owner !== tables) {
      const starts = readAt(file, layout.nameStarts, (nameCount + 1) * 4);
      lastNames = { owner: tables, starts, names: readAt(file, layout.names, header.nameBytes) };
    }
    const { names, starts } = lastNames;
    return (number: number) =>
      names.toString('utf8', starts.readUInt32LE(number * 4), starts.readUInt32LE(number * 4 + 4));
  };

  return {
    name: shardName,
    fileCount,
    keys: tables.subarray(layout.keys, layout.keys + fileCount * (idBytes + PATH_BYTES)),
    summary(number) {
      const flags = tables[layout.flags + number]!;
      const language = tables[layout.languages + number]!;
      return {
        language: language === 0 ? null : LANGUAGES[language - 1]!,
        lines: lines[number]!,
        isGenerated: (flags & 1) === 1,
        incomplete: INCOMPLETE[flags >> 1]!,
      };
    },
    facts(number) {
      const bytes = piece(layout.facts, factStarts, number);
      return bytes.length === 0 ? [] : (JSON.parse(bytes.toString()) as Fact[]);
    },
    symbols(number) {
      const bytes = piece(layout.symbols, symbolStarts, number);
      return bytes.length === 0 ? { symbols: [], imports: [] } : JSON.parse(inflateRawSync(bytes).toString());
    },
    uses(number) {
      const reader = new NumberReader(piece(layout.uses, useStarts, number));
      if (reader.isAtEnd) return [];
      const names = allNames();
      const found: FileFacts['uses'] = [];
      for (let name = 0; !reader.isAtEnd; ) {
        name += reader.next();
        found.push({ name: names(name), lines: readLines(reader, reader.next()) });
      }
      return found;
    },
    findName(name) {
      let [low, high] = [0, nameCount];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (nameAt(middle) < name) low = middle + 1;
        else high = middle;
      }
      return low < nameCount && nameAt(low) === name ? low : -1;
    },
    postings(name) {
      const reader = new NumberReader(namePiece(layout.postingStarts, layout.postings, name));
      const found: NamePosting[] = [];
      for (let number = 0; !reader.isAtEnd; ) {
        number += reader.next();
        found.push({ file: number, definitions: reader.next(), uses: reader.next() });
      }
      return found;
    },
    linesOf(number, name) {
      const reader = new NumberReader(piece(layout.uses, useStarts, number));
      for (let at = 0; !reader.isAtEnd; ) {
        at += reader.next();
        const count = reader.next();
        if (at === name) return readLines(reader, count);
        if (at > name) break;
        reader.skip(count);
      }
      return [];
    },
    close: () => closeSync(file),
  };
}

function readLines(reader: NumberReader, count: number): number[] {
  let line = 0;
  return Array.from({ length: count }, () => {
    line += reader.next();
    return line;
  });
}

function checksumOf(file: number, end: number): number {
  let checksum = 0;
  for (let at = 0; at < end; at += CHECK_BYTES)
    checksum = crc32(readAt(file, at, Math.min(CHECK_BYTES, end - at)), checksum);
  return checksum;
}

/** A separate allocation, so that numbers in it are aligned. */
function readAt(file: number, from: number, bytes: number): Buffer {
  const target = Buffer.from(new ArrayBuffer(bytes));
  let done = 0;
  while (done < bytes) {
    const read = readSync(file, target, done, bytes - done, from + done);
    if (read === 0) throw new Error('A file of facts is shorter than expected.');
    done += read;
  }
  return target;
}
