/** The literal strings among the arguments of calls. */
import { pairBrackets } from './brackets.ts';
import { assignedTo } from './local-values.ts';
import type { Call, Code, TokenRange } from './read-code.ts';
import { HOLE, readTokens, type Token } from './tokens.ts';

/** Functions that only wrap a string. */
const WRAPPERS = new Set([
  ...['aws.String', 'String', 'URI.create', 'Uri', 'URL', 'URI', 'str', 'Ptr', 'to.Ptr', 'topics', 'queues'],
  ...['fmt.Sprintf', 'Sprintf', 'String.format', 'path.join', 'string.Format', 'sprintf', 'Uri.parse'],
]);

/** Functions that join the parts of a URL with slashes, such as `urljoin(base, path)`. */
const JOINERS = /(?:^|\.)(?:url|uri)_?(?:join|combine)$|(?:^|\.)(?:join|combine)_?(?:url|uri)s?$/i;

/** The expression inside a string is read on its own, but its variables belong to the code around it. */
interface Reading extends Code {
  /** Where the string is. */
  around?: { code: Code; at: number };
}

/** The string that an expression stands for, with HOLE for each part that isn't known; null when nothing is. */
export function stringValue(code: Code, range: TokenRange | undefined): string | null {
  if (!range || range.end - range.start > 200) return null;
  const value = concatenated(code, range, 0);
  return value === null || value.replaceAll(HOLE, '') === '' ? null : value;
}

function concatenated(code: Reading, { end, start }: TokenRange, depth: number): string | null {
  if (depth > 4) return null;
  let value = '';
  let from = start;
  for (let i = start; i <= end; i += 1) {
    const token = code.tokens[i];
    if (i < end && code.partners[i]! > i) {
      i = code.partners[i]!;
      continue;
    }
    const isPlus = i < end && token?.kind === 'symbol' && (token.text === '+' || isPhpDot(code, i));
    if (i < end && !isPlus) continue;
    value += operand(code, { start: from, end: i }, depth) ?? HOLE;
    from = i + 1;
  }
  return value;
}

/** A dot next to a string joins strings in PHP. */
function isPhpDot(code: Code, i: number): boolean {
  if (code.tokens[i]!.text !== '.') return false;
  return (
    code.tokens[i - 1]?.text.startsWith('$') === true || code.tokens[i + 1]?.text.startsWith('$') === true
  );
}

function operand(code: Reading, range: TokenRange, depth: number): string | null {
  let { start } = range;
  let { end } = range;
  while (
    start < end &&
    /^(?:new|await|&|\*|f|b)$/.test(code.tokens[start]!.text) &&
    code.tokens[start]!.kind !== 'string'
  ) {
    start += 1;
  }
  const asWord = code.tokens
    .slice(start, Math.min(end, start + 4))
    .findIndex((t) => t.kind === 'word' && t.text === 'as');
  if (asWord > 0) end = start + asWord;
  const first = code.tokens[start];
  if (!first || start >= end) return null;
  if (first.kind === 'string') {
    const text = withBase(code, first, start, depth);
    return end === start + 1 ? text : formatted(code, { start, end }, text);
  }
  // Parentheses, and lists of one: `{"a"}` of Java.
  if (code.partners[start] === end - 1) {
    const inner = { start: start + 1, end: end - 1 };
    return first.text === '{' && code.tokens[start + 2]?.text === ':'
      ? null
      : concatenated(code, inner, depth + 1);
  }
  if (first.kind !== 'word') return null;
  return named(code, start, end, depth);
}

/** `$"{baseUrl}/items"`: what a string starts with is often a constant. */
function withBase(code: Reading, { firstHole, text }: Token, at: number, depth: number): string {
  if (firstHole === undefined || firstHole.length > 200 || depth > 3) return text;
  const tokens = readTokens(firstHole, code.language);
  const around = code.around ?? { code, at };
  const inner = { ...code, tokens, partners: pairBrackets(tokens), around };
  const base = concatenated(inner, { start: 0, end: tokens.length }, depth + 1);
  return base === null || base.replaceAll(HOLE, '') === '' ? text : base + text.slice(HOLE.length);
}

function named(code: Reading, start: number, end: number, depth: number): string | null {
  let at = start;
  let name = code.tokens[at]!.text;
  while (
    at + 2 < end &&
    /^(?:\.|::|->|\?\.)$/.test(code.tokens[at + 1]!.text) &&
    code.tokens[at + 2]!.kind === 'word'
  ) {
    at += 2;
    name += `.${code.tokens[at]!.text}`;
  }
  if (at + 1 === end) {
    if (!isConstantPath(name)) return null;
    const place = code.around ?? { code, at: start };
    const local = name.includes('.') ? undefined : assignedTo(place.code, name, place.at);
    if (local) return depth > 3 ? null : concatenated(place.code, local, depth + 1);
    const last = name.slice(name.lastIndexOf('.') + 1);
    return code.constants.get(last.replace(/^\$/, '')) ?? code.constants.get(last) ?? null;
  }
  if (code.tokens[at + 1]!.text !== '(' || code.partners[at + 1] !== end - 1) return null;
  if (JOINERS.test(name)) return joined(code, at + 2, end - 1, depth);
  if (!WRAPPERS.has(name)) return null;
  const closing = firstComma(code, at + 2, end - 1);
  const value = concatenated(code, { start: at + 2, end: closing }, depth + 1);
  return /printf|format/i.test(name) && value ? withHoles(value) : value;
}

function joined(code: Reading, start: number, end: number, depth: number): string {
  const parts: string[] = [];
  for (let from = start; from < end && parts.length < 5; ) {
    const to = firstComma(code, from, end);
    parts.push(concatenated(code, { start: from, end: to }, depth + 1) ?? HOLE);
    from = to + 1;
  }
  return parts.map((part, index) => (index === 0 ? part : part.replace(/^\/+/, ''))).join('/');
}

/** `NAME`, `this.name` and `Names.name`, but not `options.name`: that can be the field of anything. */
function isConstantPath(name: string): boolean {
  const parts = name.split('.');
  if (parts.length === 1 || /^[A-Z]/.test(parts[0]!)) return true;
  return parts.length === 2 && /^(?:this|self|cls|\$this)$/.test(parts[0]!);
}

function firstComma(code: Code, start: number, end: number): number {
  for (let i = start; i < end; i += 1) {
    if (code.partners[i]! > i) i = code.partners[i]!;
    else if (code.tokens[i]!.text === ',' && code.tokens[i]!.kind === 'symbol') return i;
  }
  return end;
}

/** `'…'.format(…)`, `'…' % …`, and strings that follow each other in Python. */
function formatted(code: Code, { end, start }: TokenRange, text: string): string | null {
  const next = code.tokens[start + 1]!;
  if (next.kind === 'string') {
    const rest = code.tokens.slice(start, end);
    return rest.every((token) => token.kind === 'string') ? rest.map((token) => token.text).join('') : null;
  }
  if (next.text === '%') return withHoles(text);
  if (next.text !== '.') return null;
  const method = code.tokens[start + 2]?.text;
  if (method === 'format' || method === 'formatted')
    return withHoles(text.replace(/\{[^{}\n]{0,60}\}/g, HOLE));
  return method === 'trimIndent' || method === 'trim' || method === 'strip' || method === 'freeze'
    ? text
    : null;
}

function withHoles(text: string): string {
  return text.replace(/%[-+ #0]{0,3}\d{0,3}(?:\.\d{1,3})?(?:\(\w{1,60}\))?[sdvqxif]|\{\d{1,2}\}/g, HOLE);
}

/** The value of `key: value`, `key=value` or `:key => value` in the arguments, at most so many brackets deep. */
export function option(code: Code, call: Call, key: string, maxDepth = 1): TokenRange | undefined {
  return call.args.map((range) => optionIn(code, range, key, maxDepth)).find(Boolean);
}

function optionIn(code: Code, range: TokenRange, key: string, maxDepth: number): TokenRange | undefined {
  const wanted = key.toLowerCase();
  let depth = 0;
  const limit = Math.min(range.end, range.start + 2000);
  for (let i = range.start; i < limit; i += 1) {
    const token = code.tokens[i]!;
    if (token.kind === 'symbol') {
      if (/^[([{]$/.test(token.text)) {
        if (depth >= maxDepth && code.partners[i]! > i) i = code.partners[i]!;
        else depth += 1;
      } else if (/^[)\]}]$/.test(token.text)) depth -= 1;
      continue;
    }
    if (token.text.toLowerCase() !== wanted) continue;
    const operator = code.tokens[i + 1]?.text;
    if (operator === ':' || operator === '=' || operator === '=>') {
      return { start: i + 2, end: endOfValue(code, i + 2, range.end) };
    }
    // `{ topic }` of JavaScript.
    const before = code.tokens[i - 1]?.text;
    if (
      token.kind === 'word' &&
      (before === '{' || before === ',') &&
      (operator === ',' || operator === '}') &&
      depth > 0
    ) {
      return { start: i, end: i + 1 };
    }
  }
  return undefined;
}

function endOfValue(code: Code, start: number, limit: number): number {
  for (let i = start; i < limit; i += 1) {
    if (code.partners[i]! > i) i = code.partners[i]!;
    else if (code.tokens[i]!.kind === 'symbol' && /^[,)\]};]$/.test(code.tokens[i]!.text)) return i;
  }
  return limit;
}

/** The strings of a list such as `['a', 'b']`, or the one string. */
export function stringList(code: Code, range: TokenRange | undefined): { value: string; line: number }[] {
  if (!range) return [];
  const first = code.tokens[range.start];
  const isList = first && /^[[({]$/.test(first.text) && code.partners[range.start] === range.end - 1;
  if (!isList) {
    const value = stringValue(code, range);
    return value === null || !first ? [] : [{ value, line: first.line }];
  }
  const values: { value: string; line: number }[] = [];
  for (let i = range.start + 1; i < range.end - 1 && values.length < 50; ) {
    const end = endOfValue(code, i, range.end - 1);
    const value = stringValue(code, { start: i, end });
    if (value !== null) values.push({ value, line: code.tokens[i]!.line });
    i = end + 1;
  }
  return values;
}
