/** Reads TOML with line numbers, which the parser doesn't give: they are found by the names of tables and keys. */
import { parse, type TomlPrimitive, type TomlTable } from 'smol-toml';
import { type DataNode, MAX_DATA_DEPTH } from './data-node.ts';

/** Null when it isn't TOML. */
export function readToml(text: string): DataNode | null {
  const table = parseToml(text);
  return table && convert(table, [], 1, new TomlLines(text), 0);
}

/** The parser throws for every malformed file, and limits its depth itself. */
function parseToml(text: string): TomlTable | null {
  try {
    return parse(text, { maxDepth: MAX_DATA_DEPTH });
  } catch {
    return null;
  }
}

function convert(
  value: TomlPrimitive,
  path: string[],
  line: number,
  lines: TomlLines,
  depth: number,
): DataNode | null {
  if (depth > MAX_DATA_DEPTH) return null;
  if (Array.isArray(value)) {
    const nodes = value.flatMap((item, index) => {
      const itemLine = lines.ofItem(path, index, item, line);
      return convert(item, [...path, String(index)], itemLine, lines, depth + 1) ?? [];
    });
    return { line, items: nodes };
  }
  if (typeof value !== 'object' || value instanceof Date) {
    const scalar = typeof value === 'string' || typeof value === 'boolean' ? value : String(value);
    return { line, scalar };
  }
  const entries = new Map<string, DataNode>();
  for (const [key, child] of Object.entries(value)) {
    const childPath = [...path, key];
    const node = convert(child, childPath, lines.of(childPath) ?? line, lines, depth + 1);
    if (node) entries.set(key, node);
  }
  return { line, entries };
}

const HEADER = /^\s{0,40}(\[{1,2})\s{0,40}([^\]\n]{1,400}?)\s{0,40}\]/;
const KEY =
  /^\s{0,40}((?:[\w-]{1,200}|"[^"\n]{1,200}"|'[^'\n]{1,200}')(?:\s{0,8}\.\s{0,8}(?:[\w-]{1,200}|"[^"\n]{1,200}"|'[^'\n]{1,200}')){0,8})\s{0,40}=/;
const PART = /"([^"]*)"|'([^']*)'|([\w-]+)/g;

class TomlLines {
  readonly #lines: string[];
  readonly #lineOfPath = new Map<string, number>();

  constructor(text: string) {
    this.#lines = text.split('\n');
    const indexes = new Map<string, number>();
    let table: string[] = [];
    for (const [index, line] of this.#lines.entries()) {
      const header = HEADER.exec(line);
      if (header) {
        table = splitKey(header[2]!);
        if (header[1] === '[[') {
          const item = (indexes.get(table.join('\0')) ?? -1) + 1;
          indexes.set(table.join('\0'), item);
          table = [...table, String(item)];
        }
        this.#set(table, index + 1);
        continue;
      }
      const key = KEY.exec(line);
      if (key) this.#set([...table, ...splitKey(key[1]!)], index + 1);
    }
  }

  /** Tables that contain it begin there too, unless they have a line of their own. */
  #set(path: string[], line: number): void {
    for (let length = path.length; length > 0; length -= 1) {
      const key = path.slice(0, length).join('\0');
      if (this.#lineOfPath.has(key)) return;
      this.#lineOfPath.set(key, line);
    }
  }

  of(path: string[]): number | undefined {
    return this.#lineOfPath.get(path.join('\0'));
  }

  /** Lists often have one item on each line. */
  ofItem(path: string[], index: number, item: TomlPrimitive, listLine: number): number {
    const own = this.of([...path, String(index)]);
    if (own !== undefined) return own;
    if (typeof item !== 'string') return listLine;
    const lastLine = Math.min(this.#lines.length, listLine + 500);
    for (let line = listLine; line <= lastLine; line += 1) {
      const text = this.#lines[line - 1]!;
      if (text.includes(`"${item}"`) || text.includes(`'${item}'`)) return line;
    }
    return listLine;
  }
}

function splitKey(key: string): string[] {
  return [...key.matchAll(PART)].map(([, double, single, bare]) => double ?? single ?? bare!);
}
