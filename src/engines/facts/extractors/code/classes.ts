/** Finds the classes of a file with what they extend and where their bodies are. */
import type { Token } from './tokens.ts';

export interface CodeClass {
  name: string;
  line: number;
  /** Words between its name and its body: base classes, interfaces, type arguments. */
  heritage: string[];
  /** Tokens of the body, without its brackets. */
  start: number;
  end: number;
}

const MAX_CLASSES = 2000;
const CLASS_WORDS = new Set(['class', 'interface', 'record', 'object', 'trait', 'struct']);

export function readClasses(tokens: Token[], partners: Int32Array, language: string | null): CodeClass[] {
  const classes: CodeClass[] = [];
  for (let i = 0; i < tokens.length - 1 && classes.length < MAX_CLASSES; i += 1) {
    const token = tokens[i]!;
    if (token.kind !== 'word' || !CLASS_WORDS.has(token.text) || tokens[i + 1]!.kind !== 'word') continue;
    if (i > 0 && tokens[i - 1]!.text === '.') continue;
    const found = isIndented(language) ? readIndented(tokens, i, language) : readBraced(tokens, partners, i);
    if (found) classes.push(found);
  }
  return classes;
}

function isIndented(language: string | null): boolean {
  return language === 'python' || language === 'ruby';
}

function readBraced(tokens: Token[], partners: Int32Array, i: number): CodeClass | null {
  const heritage: string[] = [];
  for (let at = i + 2; at < i + 200 && at < tokens.length; at += 1) {
    const token = tokens[at]!;
    if (token.kind === 'word') heritage.push(token.text);
    if (token.kind !== 'symbol') continue;
    if (token.text === ';' || token.text === '}' || token.text === '=') return null;
    if (token.text === '(' && partners[at]! > at) at = partners[at]!;
    if (token.text !== '{') continue;
    const end = partners[at]!;
    return {
      name: tokens[i + 1]!.text,
      line: tokens[i]!.line,
      heritage,
      start: at + 1,
      end: end === -1 ? tokens.length : end,
    };
  }
  return null;
}

/** The body ends at the first line that is not further right than the class. */
function readIndented(tokens: Token[], i: number, language: string | null): CodeClass {
  const { column, line } = tokens[i]!;
  const heritage: string[] = [];
  let start = i + 2;
  for (; start < tokens.length && start < i + 200; start += 1) {
    const token = tokens[start]!;
    if (language === 'python' ? token.text === ':' : token.line !== line) break;
    if (token.kind === 'word') heritage.push(token.text);
  }
  let end = start;
  while (
    end < tokens.length &&
    (tokens[end]!.line === line || tokens[end]!.column > column || tokens[end]!.text === ':')
  )
    end += 1;
  return { name: tokens[i + 1]!.text, line, heritage, start, end };
}

/** The innermost class around a token. */
export function classAt(classes: CodeClass[], index: number): CodeClass | null {
  let found: CodeClass | null = null;
  for (const one of classes) {
    if (one.start <= index && index < one.end && (!found || one.start >= found.start)) found = one;
  }
  return found;
}
