/** Reads the calls, annotations and classes of a file, and where the receiver of each call comes from. */
import type { FileSource } from '../../extractor.ts';
import { type Bindings, type Origin, readBindings } from './bindings.ts';
import { pairBrackets } from './brackets.ts';
import { type CodeClass, readClasses } from './classes.ts';
import { Constants } from './constants.ts';
import { readTokens, type Token } from './tokens.ts';

export interface TokenRange {
  start: number;
  /** The first token behind it. */
  end: number;
}

export interface Call {
  /** The names of the call, receiver first: `app`, `get`. */
  chain: string[];
  /** Where its root comes from; null when that isn't known. */
  origin: Origin | null;
  /** The call that this one continues, as in `route('/x').get()`. */
  previous: Call | null;
  /** The call that continues this one. */
  next: Call | null;
  args: TokenRange[];
  line: number;
  /** The token of its first name. */
  index: number;
  /** The token of its closing bracket. */
  end: number;
  isAnnotation: boolean;
  /** An annotation of a class, not of a member. */
  isOnClass: boolean;
  /** The name that its result is assigned to. */
  assignedTo: string | null;
}

export interface Code {
  language: string | null;
  tokens: Token[];
  /** For each bracket, the index of its partner; -1 for none. */
  partners: Int32Array;
  calls: Call[];
  classes: CodeClass[];
  constants: Constants;
  bindings: Bindings;
}

const cache = new WeakMap<FileSource, Code>();

/** The extractors of one file share the result. */
export function readCode(file: FileSource): Code {
  const known = cache.get(file);
  if (known) return known;
  const code = new CodeReader(file).read();
  cache.set(file, code);
  return code;
}

/** More are not read; only generated files have more. */
const MAX_CALLS = 20_000;
const SEPARATORS = new Set(['.', '?.', '->', '::']);
/** They stand before a value and don't change what it is. */
const TRANSPARENT = new Set(['await', 'new', '&', '*', 'yield', 'return', 'export', 'default', 'let', 'try']);
const MODIFIERS = new Set([
  ...['export', 'default', 'public', 'private', 'protected', 'internal', 'abstract', 'final', 'open', 'data'],
  ...['sealed', 'static', 'async', 'partial', 'readonly', 'declare', 'inner', 'value'],
]);
const CLASS_WORDS = new Set(['class', 'interface', 'record', 'object', 'trait', 'struct', 'enum']);

class CodeReader {
  readonly #language: string | null;
  readonly #tokens: Token[];
  readonly #partners: Int32Array;
  readonly #bindings: Bindings;
  readonly #names: Map<string, Origin>;
  readonly #constants: Constants;
  readonly #calls: Call[] = [];
  readonly #callOfOpening = new Map<number, Call>();
  /** The name that the value starting at a token is assigned to. */
  readonly #targets = new Map<number, string>();

  constructor(file: FileSource) {
    this.#language = file.language;
    this.#tokens = readTokens(file.text, file.language);
    this.#partners = pairBrackets(this.#tokens);
    this.#bindings = readBindings(file);
    this.#names = new Map(this.#bindings.names);
    this.#constants = new Constants(this.#tokens);
  }

  read(): Code {
    for (let i = 0; i < this.#tokens.length && this.#calls.length < MAX_CALLS; ) i = this.#readAt(i);
    return {
      language: this.#language,
      tokens: this.#tokens,
      partners: this.#partners,
      calls: this.#calls,
      classes: readClasses(this.#tokens, this.#partners, this.#language),
      constants: this.#constants,
      bindings: this.#bindings,
    };
  }

  #text(i: number): string | undefined {
    const token = this.#tokens[i];
    return token && token.kind !== 'string' ? token.text : undefined;
  }

  /** Returns where to go on. */
  #readAt(i: number): number {
    const token = this.#tokens[i]!;
    if (token.kind !== 'word') {
      if (token.text === ':=' || token.text === '=') this.#readAssignment(i);
      return i + 1;
    }
    const chain = [token.text];
    let end = i + 1;
    while (
      SEPARATORS.has(this.#text(end) ?? '') &&
      this.#tokens[end + 1]?.kind === 'word' &&
      chain.length < 12
    ) {
      chain.push(this.#tokens[end + 1]!.text);
      end += 2;
    }
    this.#readDeclaration(chain, i, end);
    const previous = SEPARATORS.has(this.#text(i - 1) ?? '') ? this.#previousCall(i - 2) : null;
    const open = this.#openingAt(end, chain, i);
    const isAnnotation = previous === null && this.#isAnnotation(i, end);
    if (open !== -1) this.#addCall(chain, i, open, previous, isAnnotation);
    else if (isAnnotation) this.#addBare(chain, i, end);
    else if (this.#language === 'ruby' && this.#isCommand(end)) this.#addCommand(chain, i, end, previous);
    else this.#rename(chain, i);
    return end;
  }

  #previousCall(close: number): Call | null {
    return this.#text(close) === ')' ? (this.#callOfOpening.get(this.#partners[close]!) ?? null) : null;
  }

  /** The opening bracket of the arguments, after type arguments; -1 when this isn't a call. */
  #openingAt(end: number, chain: string[], start: number): number {
    const text = this.#text(end);
    if (text === '(') return end;
    if (text === '<') {
      const behind = this.#behindTypeArguments(end);
      return behind > end && this.#text(behind) === '(' ? behind : -1;
    }
    // A composite literal of Go, such as `kafka.Writer{Topic: "x"}`.
    if (text === '{' && this.#language === 'go' && chain.length === 2 && /^[A-Z]/.test(chain[1]!)) {
      return this.#tokens[start]!.line === this.#tokens[end]!.line ? end : -1;
    }
    return -1;
  }

  /** The token after `<…>`; the same token when there are no type arguments. */
  #behindTypeArguments(start: number): number {
    let depth = 0;
    for (let i = start; i < start + 60 && i < this.#tokens.length; i += 1) {
      const text = this.#text(i);
      if (text === '<') depth += 1;
      else if (text === '>') depth -= 1;
      else if (text === '{' && this.#partners[i]! > i) i = this.#partners[i]!;
      else if (text === ';' || text === '{') return start;
      if (depth === 0) return i === start ? start : i + 1;
    }
    return start;
  }

  #isAnnotation(i: number, end: number): boolean {
    const before = this.#text(i - 1);
    if (before === '@') return this.#language !== 'ruby' && this.#language !== 'php';
    if (before === '[' && this.#language === 'php') return this.#text(i - 2) === '#';
    if (before !== '[' || this.#language !== 'csharp') return false;
    const outside = this.#text(i - 2);
    const after = this.#text(end);
    const isAfter = outside === undefined || /^[{};\]),]$/.test(outside);
    return isAfter && (after === '(' || after === ']' || after === ',');
  }

  #addCall(chain: string[], index: number, open: number, previous: Call | null, isAnnotation: boolean): void {
    const close = this.#partners[open]!;
    if (close === -1) return;
    const call: Call = {
      chain,
      origin: previous ? previous.origin : this.#originOf(chain),
      previous,
      next: null,
      args: splitArguments(this.#tokens, this.#partners, open + 1, close),
      line: this.#tokens[index]!.line,
      index,
      end: close,
      isAnnotation,
      isOnClass: isAnnotation && this.#isOnClass(close + 1),
      assignedTo: previous?.assignedTo ?? this.#targetOf(index),
    };
    this.#calls.push(call);
    if (previous) previous.next = call;
    this.#callOfOpening.set(open, call);
    this.#bindResult(call, previous);
    // `with Session() as session`
    if (this.#language === 'python' && this.#text(close + 1) === 'as' && call.origin) {
      this.#names.set(this.#text(close + 2) ?? '', resultOf(call));
    }
  }

  #bindResult(call: Call, previous: Call | null): void {
    if (!call.assignedTo) return;
    const required =
      call.chain[0] === 'require' && call.chain.length === 1 ? this.#tokens[call.end - 1] : undefined;
    if (required?.kind === 'string') {
      this.#names.set(call.assignedTo, { module: required.text, path: '' });
      return;
    }
    if (call.origin) this.#names.set(call.assignedTo, resultOf(call));
    else if (!previous) this.#names.delete(call.assignedTo);
  }

  /** An annotation without arguments. */
  #addBare(chain: string[], index: number, end: number): void {
    this.#calls.push({
      chain,
      origin: this.#originOf(chain),
      previous: null,
      next: null,
      args: [],
      line: this.#tokens[index]!.line,
      index,
      end: end - 1,
      isAnnotation: true,
      isOnClass: this.#isOnClass(end),
      assignedTo: null,
    });
  }

  /** Ruby: `get '/x', to: 'y'` and `queue_as :mail`. */
  #isCommand(end: number): boolean {
    const first = this.#tokens[end];
    if (!first || first.line !== this.#tokens[end - 1]!.line) return false;
    return first.kind === 'string' || (first.text === ':' && this.#tokens[end + 1]?.kind === 'word');
  }

  #addCommand(chain: string[], index: number, start: number, previous: Call | null): void {
    let end = start;
    let { line } = this.#tokens[index]!;
    for (; end < this.#tokens.length && end < start + 200; end += 1) {
      const token = this.#tokens[end]!;
      if (token.line !== line && this.#text(end - 1) !== ',') break;
      if (token.kind === 'word' && token.text === 'do') break;
      line = token.line;
    }
    this.#calls.push({
      chain,
      origin: previous ? previous.origin : this.#originOf(chain),
      previous,
      next: null,
      args: splitArguments(this.#tokens, this.#partners, start, end),
      line: this.#tokens[index]!.line,
      index,
      end: end - 1,
      isAnnotation: false,
      isOnClass: false,
      assignedTo: null,
    });
  }

  /** By the first name, or by a field that was declared in the file: `this.app`, `s.router`. */
  #originOf(chain: string[]): Origin | null {
    const names = chain[0] === 'this' || chain[0] === 'self' || chain[0] === '$this' ? chain.slice(1) : chain;
    const root = this.#names.get(names[0] ?? '');
    if (root) return { module: root.module, path: joinPath(root.path, names.slice(1, -1)) };
    const field =
      names.length > 2 || names.length < chain.length ? this.#names.get(chain.at(-2)!) : undefined;
    return field ?? null;
  }

  #targetOf(index: number): string | null {
    let start = index;
    while (TRANSPARENT.has(this.#text(start - 1) ?? '')) start -= 1;
    return this.#targets.get(start) ?? null;
  }

  /** Remembers what the value behind `=` is assigned to. */
  #readAssignment(i: number): void {
    let before = i - 1;
    // The type in `name: Type = value`, which can have type arguments.
    const limit = Math.max(0, i - 30);
    for (let at = before; at > limit; at -= 1) {
      const token = this.#tokens[at]!;
      if (token.text === ':' && token.kind === 'symbol' && this.#tokens[at - 1]?.kind === 'word')
        before = at - 1;
      if (token.line !== this.#tokens[i]!.line || /^[;(){}=]$/.test(token.text)) break;
    }
    // The first of several names in Go: `conn, err := connect()`.
    while (this.#text(before - 1) === ',' && this.#tokens[before - 2]?.kind === 'word') before -= 2;
    const name = this.#tokens[before];
    if (name?.kind !== 'word') return;
    this.#targets.set(i + 1, name.text);
    if (this.#tokens[i + 1]?.kind !== 'word' && !TRANSPARENT.has(this.#text(i + 1) ?? ''))
      this.#names.delete(name.text);
  }

  /** `const r = app`: another name for the same thing. */
  #rename(chain: string[], index: number): void {
    const target = this.#targetOf(index);
    if (!target || TRANSPARENT.has(chain[0]!)) return;
    const origin = chain.length === 1 ? this.#names.get(chain[0]!) : this.#originOf([...chain, '']);
    if (origin) this.#names.set(target, origin);
    else this.#names.delete(target);
  }

  /** A parameter, field or variable whose declared type is imported. */
  #readDeclaration(chain: string[], start: number, end: number): void {
    const origin = this.#names.get(chain[0]!);
    if (!origin) return;
    const declared = { module: origin.module, path: joinPath(origin.path, chain.slice(1)) };
    if (this.#language === 'go') {
      let before = start - 1;
      while (/^[*[\]]$/.test(this.#text(before) ?? '')) before -= 1;
      const name = this.#tokens[before];
      const isDeclared =
        chain.length === 2 && name?.kind === 'word' && name.line === this.#tokens[start]!.line;
      if (isDeclared && /^[A-Z]/.test(chain[1]!)) this.#names.set(name.text, declared);
      return;
    }
    const colon = this.#text(start - 1) === ':' || this.#text(start - 1) === '?';
    if (colon && this.#tokens[start - 2]?.kind === 'word') {
      if (/^[\p{Lu}]/u.test(chain.at(-1)!)) this.#names.set(this.#tokens[start - 2]!.text, declared);
      return;
    }
    const isTyped = this.#language === 'java' || this.#language === 'csharp' || this.#language === 'php';
    const after = this.#tokens[this.#behindTypeArguments(end)];
    if (!isTyped || after?.kind !== 'word' || after.line !== this.#tokens[start]!.line) return;
    if (/^[A-Z]/.test(chain.at(-1)!) && !CLASS_WORDS.has(after.text)) this.#names.set(after.text, declared);
  }

  /** From behind an annotation: other annotations and modifiers may come before the class. */
  #isOnClass(from: number): boolean {
    for (let i = from; i < from + 400 && i < this.#tokens.length; i += 1) {
      const text = this.#text(i);
      if (text === '(' || text === '[' || text === '{') {
        const close = this.#partners[i]!;
        if (close === -1 || text === '{') return false;
        i = close;
      } else if (text !== undefined && CLASS_WORDS.has(text)) return true;
      else if (text === '@' || text === '#') i = this.#endOfName(i + 1);
      else if (text !== ']' && (text === undefined || !MODIFIERS.has(text))) return false;
    }
    return false;
  }

  /** The last token of a dotted name. */
  #endOfName(i: number): number {
    let end = i;
    while (this.#text(end + 1) === '.' || this.#text(end) === '.') end += 1;
    return end;
  }
}

/** More arguments than any of the calls that matter have. */
const MAX_ARGUMENTS = 12;

function splitArguments(tokens: Token[], partners: Int32Array, start: number, end: number): TokenRange[] {
  const ranges: TokenRange[] = [];
  let from = start;
  for (let i = start; i < end && ranges.length < MAX_ARGUMENTS; i += 1) {
    if (partners[i]! > i) i = partners[i]!;
    else if (tokens[i]!.kind === 'symbol' && tokens[i]!.text === ',') {
      ranges.push({ start: from, end: i });
      from = i + 1;
    }
  }
  if (from < end && ranges.length < MAX_ARGUMENTS) ranges.push({ start: from, end });
  return ranges;
}

function resultOf(call: Call): Origin {
  const origin = call.origin!;
  const last = call.chain.at(-1)!;
  // `express()` calls the module itself, `Router()` a name taken from it: neither is in the origin's path twice.
  const called = call.chain.length === 1 && !call.previous ? '()' : `${last}()`;
  return { module: origin.module, path: joinPath(origin.path, [called]) };
}

function joinPath(path: string, more: string[]): string {
  const joined = [path, ...more].filter(Boolean).join('.').replace('.()', '()');
  return joined.length > 200 ? joined.slice(-200) : joined;
}
