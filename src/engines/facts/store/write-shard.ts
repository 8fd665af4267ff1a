/** Writes a shard of facts: collected in memory, then complete and synced before it becomes visible. */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { newShardName, syncFolder, writeSynced } from '../../shards/index.ts';
import type { ExtractedFile } from '../extract-facts.ts';
import { LANGUAGES } from '../language.ts';
import { extractionVersion } from './extraction-version.ts';
import { NumberWriter } from './numbers.ts';
import { INCOMPLETE, layoutOf, type Section, type ShardHeader, writeHeader } from './shard-format.ts';

interface HeldFile {
  key: Buffer;
  lines: number;
  language: number;
  flags: number;
  facts: Buffer;
  symbols: Buffer;
  words: Buffer;
  /** The provisional number of each name, followed by how many lines it is used in and these lines. */
  uses: number[];
  /** How many definitions each name has, by its provisional number. */
  definitions: Map<number, number>;
}

const NOTHING = Buffer.alloc(0);

export class ShardWriter {
  readonly #folder: string;
  readonly #idBytes: number;
  readonly #files: HeldFile[] = [];
  readonly #names = new Map<string, number>();
  #bytes = 0;

  constructor(folder: string, idBytes: number) {
    this.#folder = folder;
    this.#idBytes = idBytes;
  }

  /** About as large as the shard becomes. */
  get bytes(): number {
    return this.#bytes;
  }

  add(
    key: Buffer,
    { facts, imports, incomplete, isGenerated, language, lines, symbols, uses, words }: ExtractedFile,
  ): void {
    const places: number[] = [];
    for (const { lines: used, name } of uses) {
      places.push(this.#number(name), used.length);
      for (const line of used) places.push(line);
    }
    const definitions = new Map<number, number>();
    for (const { name } of symbols) {
      const number = this.#number(name);
      definitions.set(number, (definitions.get(number) ?? 0) + 1);
    }
    // A number takes little more than a byte; a name has about ten, in several tables.
    this.#bytes += 60 + places.length + uses.length * 4;
    const hasSymbols = symbols.length > 0 || imports.length > 0;
    const file = {
      key: Buffer.from(key),
      lines,
      language: language === null ? 0 : LANGUAGES.indexOf(language) + 1,
      flags: (isGenerated ? 1 : 0) | (INCOMPLETE.indexOf(incomplete) << 1),
      facts: facts.length > 0 ? Buffer.from(JSON.stringify(facts)) : NOTHING,
      symbols: hasSymbols
        ? deflateRawSync(Buffer.from(JSON.stringify({ symbols, imports })), { level: 1 })
        : NOTHING,
      words:
        words.length > 0
          ? deflateRawSync(Buffer.from(JSON.stringify(words.flatMap(({ line, name }) => [name, line]))), {
              level: 1,
            })
          : NOTHING,
      uses: places,
      definitions,
    };
    this.#bytes += file.facts.length + file.symbols.length + file.words.length;
    this.#files.push(file);
  }

  #number(name: string): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    this.#names.set(name, this.#names.size);
    this.#bytes += name.length + 8;
    return this.#names.size - 1;
  }

  /** Returns the name of the shard; undefined when there is nothing to write. */
  finish(): string | undefined {
    if (this.#files.length === 0) return undefined;
    const name = newShardName();
    const temporary = join(this.#folder, `${name}.facts.new`);
    try {
      writeSynced(temporary, this.#encode());
      renameSync(temporary, join(this.#folder, `${name}.facts`));
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    syncFolder(this.#folder);
    return name;
  }

  #encode(): Buffer {
    const sorted = [...this.#names.keys()].sort((one, other) => (one < other ? -1 : 1));
    const places = new Uint32Array(sorted.length);
    for (const [place, name] of sorted.entries()) places[this.#names.get(name)!] = place;
    const uses = new NumberWriter();
    const useStarts = [0];
    /** For each name: the number of a file, its definitions, and its uses. */
    const occurrences: number[][] = sorted.map(() => []);
    for (const [number, file] of this.#files.entries()) {
      encodeUses(file, number, places, uses, occurrences);
      useStarts.push(uses.length);
    }
    const { postings, postingStarts } = encodePostings(occurrences);
    const files = this.#files;
    const names = sorted.map((name) => Buffer.from(name));
    const sections: Record<Section, Buffer> = {
      keys: Buffer.concat(files.map(({ key }) => key)),
      lines: numbers(files.map(({ lines }) => lines)),
      languages: Buffer.from(files.map(({ language }) => language)),
      flags: Buffer.from(files.map(({ flags }) => flags)),
      factStarts: startsOf(files.map(({ facts }) => facts)),
      symbolStarts: startsOf(files.map(({ symbols }) => symbols)),
      wordStarts: startsOf(files.map(({ words }) => words)),
      useStarts: numbers(useStarts),
      nameStarts: startsOf(names),
      postingStarts: numbers(postingStarts),
      facts: Buffer.concat(files.map(({ facts }) => facts)),
      symbols: Buffer.concat(files.map(({ symbols }) => symbols)),
      words: Buffer.concat(files.map(({ words }) => words)),
      uses: uses.bytes(),
      names: Buffer.concat(names),
      postings,
    };
    const header: ShardHeader = {
      idBytes: this.#idBytes,
      extraction: extractionVersion(),
      fileCount: files.length,
      nameCount: names.length,
      factBytes: sections.facts.length,
      symbolBytes: sections.symbols.length,
      wordBytes: sections.words.length,
      useBytes: sections.uses.length,
      nameBytes: sections.names.length,
      postingBytes: postings.length,
    };
    const layout = layoutOf(header);
    const bytes = Buffer.alloc(layout.checksum + 4);
    writeHeader(header).copy(bytes);
    for (const [section, content] of Object.entries(sections))
      content.copy(bytes, layout[section as Section]);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, layout.checksum)), layout.checksum);
    return bytes;
  }
}

function encodeUses(
  file: HeldFile,
  number: number,
  places: Uint32Array,
  writer: NumberWriter,
  occurrences: number[][],
): void {
  const held = file.uses;
  /** Where the uses of each name begin, by the place of the name. */
  const starts: { place: number; at: number }[] = [];
  const definitions = new Map(file.definitions);
  for (let at = 0; at < held.length; at += 2 + held[at + 1]!) {
    const place = places[held[at]!]!;
    starts.push({ place, at });
    occurrences[place]!.push(number, definitions.get(held[at]!) ?? 0, held[at + 1]!);
    definitions.delete(held[at]!);
  }
  // Names that the file defines and doesn't use.
  for (const [provisional, count] of definitions) occurrences[places[provisional]!]!.push(number, count, 0);
  starts.sort((one, other) => one.place - other.place);
  let before = 0;
  for (const { at, place } of starts) {
    const count = held[at + 1]!;
    writer.add(place - before);
    writer.add(count);
    before = place;
    let line = 0;
    for (let index = at + 2; index < at + 2 + count; index += 1) {
      writer.add(held[index]! - line);
      line = held[index]!;
    }
  }
}

function encodePostings(occurrences: number[][]): { postings: Buffer; postingStarts: number[] } {
  const writer = new NumberWriter();
  const postingStarts = [0];
  for (const found of occurrences) {
    let before = 0;
    for (let at = 0; at < found.length; at += 3) {
      writer.add(found[at]! - before);
      writer.add(found[at + 1]!);
      writer.add(found[at + 2]!);
      before = found[at]!;
    }
    postingStarts.push(writer.length);
  }
  return { postings: writer.bytes(), postingStarts };
}

/** The format and all supported machines are little-endian. */
function numbers(values: number[]): Buffer {
  return Buffer.from(Uint32Array.from(values).buffer);
}

function startsOf(parts: Buffer[]): Buffer {
  let at = 0;
  return numbers([
    0,
    ...parts.map((part) => {
      at += part.length;
      return at;
    }),
  ]);
}
