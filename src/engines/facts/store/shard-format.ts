/**
 * The layout of a shard of facts: one immutable file `NAME.facts`. All numbers are little-endian, and each section is aligned to
 * eight bytes:
 *   header         64 bytes, see below
 *   keys           one per file: the id of its blob and the CRC-32 of its path
 *   lines          u32 a file
 *   languages      a byte a file: the number of its language plus one; 0 for none
 *   flags          a byte a file: whether it is generated, and why something is missing
 *   factStarts     u32 a file and one more: where its facts begin
 *   symbolStarts   the same for its definitions and imports
 *   wordStarts     the same for its words
 *   useStarts      the same for the places where it uses names
 *   nameStarts     u32 a name and one more: where the name begins
 *   postingStarts  the same for the files that have it
 *   facts          JSON of each file that has any
 *   symbols        JSON of each file, deflated
 *   words          JSON of each file, deflated: names and lines in turn
 *   uses           of each file, as LEB128: the number of a name (as difference), how many lines, the lines (as differences)
 *   names          in ascending order
 *   postings       of each name, as LEB128: the number of a file (as difference), how many definitions, how many uses
 *   checksum       u32: CRC-32 of everything before it
 */
import type { FileFacts } from '../../../platform/core/ports/code-facts.ts';

export const FORMAT_VERSION = 2;
export const HEADER_BYTES = 64;
export const PATH_BYTES = 4;
const MAGIC = 0x41465343; // "CSFA"

export const INCOMPLETE = [
  null,
  'too_large',
  'too_slow',
  'too_deep',
  'too_many',
  'invalid',
] as const satisfies FileFacts['incomplete'][];

/** The lengths of the sections that the others can't be computed from. */
export interface ShardHeader {
  idBytes: number;
  /** Version of the code that extracted the facts: those of another version are extracted again. */
  extraction: number;
  fileCount: number;
  nameCount: number;
  factBytes: number;
  symbolBytes: number;
  wordBytes: number;
  useBytes: number;
  nameBytes: number;
  postingBytes: number;
}

const FIELDS = [
  ...['idBytes', 'extraction', 'fileCount', 'nameCount', 'factBytes', 'symbolBytes', 'useBytes'],
  ...['nameBytes', 'postingBytes', 'wordBytes'],
] as (keyof ShardHeader)[];

export type Section =
  | 'keys'
  | 'lines'
  | 'languages'
  | 'flags'
  | 'factStarts'
  | 'symbolStarts'
  | 'wordStarts'
  | 'useStarts'
  | 'nameStarts'
  | 'postingStarts'
  | 'facts'
  | 'symbols'
  | 'words'
  | 'uses'
  | 'names'
  | 'postings';

export type ShardLayout = Record<Section | 'checksum', number>;

export function layoutOf(header: ShardHeader): ShardLayout {
  const { fileCount, nameCount } = header;
  const starts = (fileCount + 1) * 4;
  const lengths: [Section, number][] = [
    ['keys', fileCount * (header.idBytes + PATH_BYTES)],
    ['lines', fileCount * 4],
    ['languages', fileCount],
    ['flags', fileCount],
    ['factStarts', starts],
    ['symbolStarts', starts],
    ['wordStarts', starts],
    ['useStarts', starts],
    ['nameStarts', (nameCount + 1) * 4],
    ['postingStarts', (nameCount + 1) * 4],
    ['facts', header.factBytes],
    ['symbols', header.symbolBytes],
    ['words', header.wordBytes],
    ['uses', header.useBytes],
    ['names', header.nameBytes],
    ['postings', header.postingBytes],
  ];
  let at = HEADER_BYTES;
  const layout = {} as ShardLayout;
  for (const [section, bytes] of lengths) {
    layout[section] = at;
    at += Math.ceil(bytes / 8) * 8;
  }
  layout.checksum = at;
  return layout;
}

export function writeHeader(header: ShardHeader): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(FORMAT_VERSION, 4);
  for (const [index, name] of FIELDS.entries()) bytes.writeUInt32LE(header[name], 8 + index * 4);
  return bytes;
}

/** Undefined when this isn't a header of this version. */
export function readHeader(bytes: Buffer): ShardHeader | undefined {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== MAGIC) return undefined;
  if (bytes.readUInt32LE(4) !== FORMAT_VERSION) return undefined;
  return Object.fromEntries(
    FIELDS.map((name, index) => [name, bytes.readUInt32LE(8 + index * 4)]),
  ) as unknown as ShardHeader;
}
