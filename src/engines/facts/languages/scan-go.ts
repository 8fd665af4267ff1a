/**
 * Scans Go without a tree: which identifiers are used where, and the text without the bodies of functions. Everything that
 * is defined in a Go file is outside of function bodies, and parsing takes most of the time of an extraction.
 */

/** Comments, strings, runes, identifiers, brackets and line feeds; numbers are matched so that `0x1f` isn't an identifier. */
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)+'|[A-Za-z_\x80-\uffff][\w\x80-\uffff]*|\.?\d[\w.]*|[(){}[\]\n]/g;

const KEYWORDS = new Set([
  ...['break', 'case', 'chan', 'const', 'continue', 'default', 'defer', 'else', 'fallthrough', 'for', 'func'],
  ...['go', 'goto', 'if', 'import', 'interface', 'map', 'package', 'range', 'return', 'select', 'struct'],
  ...['switch', 'type', 'var'],
]);

const DECLARING = new Set(['type', 'var', 'const', 'import']);
const TYPES = new Set(['struct', 'interface']);
const OPENING = new Set(['{', '(', '[']);
const CLOSING = new Set(['}', ')', ']']);
const [LINE_FEED, SLASH, BACKQUOTE] = [10, 47, 96];

/** Names of the language that nobody looks up, and that are in every file. */
const PREDECLARED = new Set([
  ...[
    '_',
    'any',
    'bool',
    'byte',
    'error',
    'false',
    'float32',
    'float64',
    'int',
    'int16',
    'int32',
    'int64',
    'int8',
  ],
  ...['nil', 'rune', 'string', 'true', 'uint', 'uint16', 'uint32', 'uint64', 'uint8', 'uintptr'],
]);

/** Tells `use` of each identifier, in order. Returns the text with empty function bodies; every line keeps its number. */
export function scanGo(text: string, use: (name: string, line: number) => void): string {
  let line = 1;
  let outline = '';
  let copiedTo = 0;
  /** How many brackets are open outside of function bodies, and within one. */
  let [outer, inner] = [0, 0];
  /** Whether the next block is a function body. In `var f = func() {…}` it is one too. */
  let isFunction = false;
  let previous = '';
  let body: { start: number; line: number } | undefined;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const token = match[0];
    const first = token.charCodeAt(0);
    if (first === LINE_FEED) line += 1;
    else if (isIdentifierStart(first)) {
      if (!KEYWORDS.has(token)) {
        if (!PREDECLARED.has(token)) use(token, line);
      } else if (outer === 0 && !body) {
        if (token === 'func') isFunction = true;
        else if (DECLARING.has(token)) isFunction = false;
      }
      previous = token;
    } else if (OPENING.has(token)) {
      if (body) inner += 1;
      else if (token === '{' && outer === 0 && isFunction && !TYPES.has(previous)) {
        body = { start: match.index + 1, line };
        inner = 1;
      } else outer += 1;
      previous = token;
    } else if (CLOSING.has(token)) {
      if (!body) outer = Math.max(0, outer - 1);
      else if (inner > 1) inner -= 1;
      else {
        outline += text.slice(copiedTo, body.start) + '\n'.repeat(line - body.line);
        copiedTo = match.index;
        body = undefined;
        isFunction = false;
      }
      previous = token;
    } else if (first === SLASH || first === BACKQUOTE) {
      for (let at = token.indexOf('\n'); at !== -1; at = token.indexOf('\n', at + 1)) line += 1;
    }
  }
  return outline + text.slice(copiedTo);
}

function isIdentifierStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code >= 128;
}
