/** Opens and reads shards of facts: what every request needs is kept in memory, the rest is read on demand. */
import { closeSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import type {
  Fact,
  FileFacts,
  FileWord,
  ImportedModule,
  SymbolDefinition,
} from '../../../platform/core/ports/code-facts.ts';
import { openFiles, readAt, readStart, readTables } from '../../shards/index.ts';
import { LANGUAGES } from '../language.ts';
import { extractionVersion } from './extraction-version.ts';
import { NumberReader } from './numbers.ts';
import {
  HEADER_BYTES,
  INCOMPLETE,
  layoutOf,
  PATH_BYTES,
  readHeader,
  type ShardHeader,
  type ShardLayout,
} from './shard-format.ts';

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
  words(file: number): FileWord[];
  uses(file: number): FileFacts['uses'];
  /** The number of a name; -1 when no file has it. */
  findName(name: string): number;
  postings(name: number): NamePosting[];
  /** The lines in which a file uses a name. */
  linesOf(file: number, name: number): number[];
  close(): void;
}

/** The names of one shard at a time: files that are read one after another are mostly in the same one. */
let lastNames: { owner: Buffer; starts: Buffer; names: Buffer } | undefined;

/** Undefined when the shard is damaged or of another version. */
export function openShard(folder: string, name: string, idBytes: number): FactShard | undefined {
  return openFiles([`${folder}/${name}.facts`], ([file]) => {
    const header = readHeader(readStart(file!, HEADER_BYTES));
    if (header?.idBytes !== idBytes || header.extraction !== extractionVersion()) return undefined;
    const layout = layoutOf(header);
    const tables = readTables(file!, layout.nameStarts, layout.checksum);
    return tables && readShard(name, file!, { header, layout, tables });
  });
}

interface Verified {
  header: ShardHeader;
  layout: ShardLayout;
  tables: Buffer;
}

function readShard(shardName: string, file: number, verified: Verified): FactShard {
  const { header, layout, tables } = verified;
  const { fileCount, idBytes } = header;
  const table = (at: number, count: number) => new Uint32Array(tables.buffer, tables.byteOffset + at, count);
  const lines = table(layout.lines, fileCount);
  const factStarts = table(layout.factStarts, fileCount + 1);
  const symbolStarts = table(layout.symbolStarts, fileCount + 1);
  const wordStarts = table(layout.wordStarts, fileCount + 1);
  const useStarts = table(layout.useStarts, fileCount + 1);
  const piece = (section: number, starts: Uint32Array, number: number) =>
    readAt(file, section + starts[number]!, starts[number + 1]! - starts[number]!);
  const names = openNames(file, verified);
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
    words(number) {
      const bytes = piece(layout.words, wordStarts, number);
      if (bytes.length === 0) return [];
      const values = JSON.parse(inflateRawSync(bytes).toString()) as (string | number)[];
      return Array.from({ length: values.length / 2 }, (_, each) => ({
        name: values[2 * each] as string,
        line: values[2 * each + 1] as number,
      }));
    },
    uses(number) {
      const reader = new NumberReader(piece(layout.uses, useStarts, number));
      if (reader.isAtEnd) return [];
      const nameOf = names.all();
      const found: FileFacts['uses'] = [];
      for (let name = 0; !reader.isAtEnd; ) {
        name += reader.next();
        found.push({ name: nameOf(name), lines: readLines(reader, reader.next()) });
      }
      return found;
    },
    findName: names.find,
    postings(name) {
      const reader = new NumberReader(names.postings(name));
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

/** Names are many, so their tables stay in the file. */
function openNames(file: number, { header, layout, tables }: Verified) {
  const { nameCount } = header;
  const piece = (starts: number, section: number, name: number) => {
    const range = readAt(file, starts + name * 4, 8);
    const [from, to] = [range.readUInt32LE(0), range.readUInt32LE(4)];
    return readAt(file, section + from, to - from);
  };
  const nameAt = (name: number) => piece(layout.nameStarts, layout.names, name).toString();
  return {
    postings: (name: number) => piece(layout.postingStarts, layout.postings, name),
    /** Reads all names, to look up many of them by number. */
    all() {
      if (lastNames?.owner !== tables) {
        const starts = readAt(file, layout.nameStarts, (nameCount + 1) * 4);
        lastNames = { owner: tables, starts, names: readAt(file, layout.names, header.nameBytes) };
      }
      const { names, starts } = lastNames;
      return (name: number) =>
        names.toString('utf8', starts.readUInt32LE(name * 4), starts.readUInt32LE(name * 4 + 4));
    },
    find(wanted: string): number {
      let [low, high] = [0, nameCount];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (nameAt(middle) < wanted) low = middle + 1;
        else high = middle;
      }
      return low < nameCount && nameAt(low) === wanted ? low : -1;
    },
  };
}

function readLines(reader: NumberReader, count: number): number[] {
  let line = 0;
  return Array.from({ length: count }, () => {
    line += reader.next();
    return line;
  });
}
