/** Reads YAML with line numbers. Aliases are left out, never expanded. */
import { isMap, isPair, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml';
import { type DataNode, MAX_DATA_DEPTH, MAX_DATA_NODES, type Scalar } from './data-node.ts';

/** The parser takes about 2 s for each megabyte: larger files are data, not configuration. */
export const MAX_YAML_CHARACTERS = 128 * 1024;
/** A line like `- - - - -` opens a list for each dash. */
const MAX_OPENINGS_ON_LINE = 200;

/** One value per document of the file; none when it isn't YAML or is beyond the limits. */
export function readYaml(text: string): DataNode[] {
  if (text.length > MAX_YAML_CHARACTERS || isTooDeep(text)) return [];
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, {
    lineCounter,
    prettyErrors: false,
    // Comparing all keys with each other takes quadratic time.
    uniqueKeys: false,
    logLevel: 'silent',
    stringKeys: false,
    version: '1.1',
    schema: 'core',
  });
  if (!Array.isArray(documents)) return [];
  const converter = new Converter(lineCounter);
  return documents.flatMap((document) => {
    if (document.errors.length > 0) return [];
    const node = converter.convert(document.contents, converter.lineOf(document.contents, 1), 0);
    return node ? [node] : [];
  });
}

/** The parser is recursive, so nesting is counted before it starts. */
function isTooDeep(text: string): boolean {
  let open = 0;
  for (const line of text.split('\n')) {
    let onLine = 0;
    for (let i = 0; i < line.length; i += 1) {
      const character = line[i];
      if (character === '[' || character === '{') open += 1;
      else if (character === ']' || character === '}') open = Math.max(0, open - 1);
      else if ((character === '-' || character === '?') && line[i + 1] === ' ') onLine += 1;
      if (open > MAX_DATA_DEPTH) return true;
    }
    if (onLine > MAX_OPENINGS_ON_LINE) return true;
  }
  return false;
}

class Converter {
  readonly #lines: LineCounter;
  #nodes = 0;

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  convert(node: unknown, line: number, depth: number): DataNode | null {
    this.#nodes += 1;
    if (depth > MAX_DATA_DEPTH || this.#nodes > MAX_DATA_NODES) return null;
    if (isScalar(node)) return { line, scalar: toScalar(node.value) };
    if (isSeq(node)) {
      const items = node.items.flatMap(
        (item) => this.convert(item, this.lineOf(item, line), depth + 1) ?? [],
      );
      return { line, items };
    }
    if (!isMap(node)) return null;
    const entries = new Map<string, DataNode>();
    for (const pair of node.items) {
      if (!isPair(pair) || !isScalar(pair.key)) continue;
      const keyLine = this.lineOf(pair.key, line);
      const value = this.convert(pair.value, keyLine, depth + 1);
      entries.set(String(pair.key.value), value ?? { line: keyLine, scalar: null });
    }
    return { line, entries };
  }

  lineOf(node: unknown, otherwise: number): number {
    const range = (node as { range?: [number, number, number] | null } | null)?.range;
    return range ? this.#lines.linePos(range[0]).line : otherwise;
  }
}

function toScalar(value: unknown): Scalar {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return value === null || value === undefined ? null : String(value);
}
