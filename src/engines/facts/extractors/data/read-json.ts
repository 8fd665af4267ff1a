/** Reads JSON with line numbers, comments and trailing commas allowed. It uses no recursion, so depth costs no stack. */
import { type DataNode, MAX_DATA_DEPTH, MAX_DATA_NODES, type Scalar } from './data-node.ts';

/** Null when it isn't JSON or is beyond the limits. */
export function readJson(text: string): DataNode | null {
  const reader = new JsonReader(text);
  return reader.read();
}

interface Container {
  node: DataNode;
  key: string | null;
}

const LITERAL = /[\w.+-]{1,400}/y;

class JsonReader {
  readonly #text: string;
  #position = 0;
  #line = 1;
  #nodes = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): DataNode | null {
    const stack: Container[] = [];
    let root: DataNode | null = null;
    for (;;) {
      this.#skipSpace();
      const character = this.#text[this.#position];
      if (character === undefined) return stack.length === 0 ? root : null;
      const open = stack.at(-1);
      if (character === '}' || character === ']') {
        if (!open || (character === '}') !== Boolean(open.node.entries)) return null;
        stack.pop();
        this.#position += 1;
        continue;
      }
      if (character === ',' && open) {
        this.#position += 1;
        continue;
      }
      if (open?.node.entries && open.key === null) {
        if (!this.#readKey(open)) return null;
        continue;
      }
      const node = this.#readValue(character, open);
      if (!node || ++this.#nodes > MAX_DATA_NODES) return null;
      if (open) this.#add(open, node);
      else if (root) return null;
      else root = node;
      if (node.scalar === undefined && stack.push({ node, key: null }) > MAX_DATA_DEPTH) return null;
    }
  }

  #keyLine = 1;

  #readKey(open: Container): boolean {
    this.#keyLine = this.#line;
    const key = this.#readString();
    this.#skipSpace();
    if (key === null || this.#text[this.#position] !== ':') return false;
    this.#position += 1;
    open.key = key;
    return true;
  }

  #readValue(character: string, open: Container | undefined): DataNode | null {
    const line = open?.node.entries ? this.#keyLine : this.#line;
    if (character === '{' || character === '[') {
      this.#position += 1;
      return character === '{' ? { line, entries: new Map() } : { line, items: [] };
    }
    if (character === '"') {
      const scalar = this.#readString();
      return scalar === null ? null : { line, scalar };
    }
    LITERAL.lastIndex = this.#position;
    const literal = LITERAL.exec(this.#text)?.[0];
    const scalar = literal === undefined ? undefined : readLiteral(literal);
    if (literal === undefined || scalar === undefined) return null;
    this.#position += literal.length;
    return { line, scalar };
  }

  #add(open: Container, node: DataNode): void {
    if (open.node.entries && open.key !== null) open.node.entries.set(open.key, node);
    else open.node.items?.push(node);
    open.key = null;
  }

  #readString(): string | null {
    if (this.#text[this.#position] !== '"') return null;
    let end = this.#position + 1;
    let isEscaped = false;
    for (;;) {
      const code = this.#text.charCodeAt(end);
      // Strings don't continue on the next line; NaN is the end of the text.
      if (code === 10 || Number.isNaN(code)) return null;
      if (code === 34) break;
      if (code === 92) {
        isEscaped = true;
        end += 1;
      }
      end += 1;
    }
    const raw = this.#text.slice(this.#position + 1, end);
    this.#position = end + 1;
    return isEscaped ? unescaped(raw) : raw;
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#position);
      if (code === 10) this.#line += 1;
      else if (code === 47) {
        if (!this.#skipComment()) return;
        continue;
      } else if (code !== 32 && code !== 9 && code !== 13 && code !== 0xfeff) return;
      this.#position += 1;
    }
  }

  #skipComment(): boolean {
    const next = this.#text[this.#position + 1];
    if (next !== '/' && next !== '*') return false;
    const end = this.#text.indexOf(next === '/' ? '\n' : '*/', this.#position + 2);
    const stop = end === -1 ? this.#text.length : next === '/' ? end : end + 2;
    for (let i = this.#position; i < stop; i += 1) if (this.#text.charCodeAt(i) === 10) this.#line += 1;
    this.#position = stop;
    return true;
  }
}

function readLiteral(literal: string): Scalar | undefined {
  if (literal === 'true') return true;
  if (literal === 'false') return false;
  if (literal === 'null') return null;
  const number = Number(literal);
  return Number.isNaN(number) ? undefined : number;
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

function unescaped(raw: string): string {
  return raw.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, hex: string | undefined, character: string) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (ESCAPES[character] ?? character),
  );
}
