/** How the languages write comments and strings. */

export interface StringSyntax {
  /** Letters allowed before the opening quote. */
  prefix?: RegExp;
  open: string;
  close: string;
  isMultiline?: boolean;
  /** Backslashes are only backslashes. */
  isRaw?: boolean;
  /** Start of an interpolated expression in a string with this prefix. */
  interpolation?: (prefix: string) => readonly string[] | null;
}

export interface Syntax {
  lineComments: readonly string[];
  blockComments: readonly (readonly [string, string])[];
  /** The first that fits is taken, so longer quotes come first. */
  strings: readonly StringSyntax[];
  /** Everything before this marker is text. */
  startsAfter?: string;
  hasRegexes?: boolean;
  hasHeredocs?: boolean;
  /** `#[` starts an attribute, not a comment. */
  hasHashAttributes?: boolean;
}

const SLASHES = { lineComments: ['//'], blockComments: [['/*', '*/']] } as const;
const always =
  (...opens: string[]) =>
  () =>
    opens;

const single: StringSyntax = { open: "'", close: "'" };
const double: StringSyntax = { open: '"', close: '"' };
const PYTHON_PREFIX = /[rRbBuUfF]{1,2}(?=["'])/y;
const pythonHoles = (prefix: string) => (/f/i.test(prefix) ? ['{'] : null);
const python = (quote: string, isMultiline: boolean): StringSyntax => ({
  prefix: PYTHON_PREFIX,
  open: quote,
  close: quote,
  isMultiline,
  interpolation: pythonHoles,
});
const CSHARP_PREFIX = /[$@]{1,3}(?=")/y;
const csharpHoles = (prefix: string) => (prefix.includes('$') ? ['{'] : null);
const kotlinHoles = always('${', '$');

const javascript: Syntax = {
  ...SLASHES,
  strings: [single, double, { open: '`', close: '`', isMultiline: true, interpolation: always('${') }],
  hasRegexes: true,
};

const SYNTAXES = new Map<string, Syntax>([
  ['javascript', javascript],
  ['typescript', javascript],
  [
    'python',
    {
      lineComments: ['#'],
      blockComments: [],
      strings: [python('"""', true), python("'''", true), python('"', false), python("'", false)],
    },
  ],
  [
    'go',
    { ...SLASHES, strings: [double, { open: '`', close: '`', isMultiline: true, isRaw: true }, single] },
  ],
  ['java', { ...SLASHES, strings: [{ open: '"""', close: '"""', isMultiline: true }, double, single] }],
  [
    'kotlin',
    {
      ...SLASHES,
      strings: [
        { open: '"""', close: '"""', isMultiline: true, isRaw: true, interpolation: kotlinHoles },
        { ...double, interpolation: kotlinHoles },
        single,
      ],
    },
  ],
  ['scala', { ...SLASHES, strings: [{ open: '"""', close: '"""', isMultiline: true }, double, single] }],
  [
    'csharp',
    {
      ...SLASHES,
      strings: [
        {
          open: '"""',
          close: '"""',
          prefix: CSHARP_PREFIX,
          isMultiline: true,
          isRaw: true,
          interpolation: csharpHoles,
        },
        { ...double, prefix: CSHARP_PREFIX, isMultiline: true, interpolation: csharpHoles },
        single,
      ],
    },
  ],
  [
    'ruby',
    {
      lineComments: ['#'],
      blockComments: [['=begin', '\n=end']],
      strings: [
        { ...single, isMultiline: true },
        { ...double, isMultiline: true, interpolation: always('#{') },
        { open: '`', close: '`', isMultiline: true, interpolation: always('#{') },
      ],
      hasRegexes: true,
      hasHeredocs: true,
    },
  ],
  [
    'php',
    {
      lineComments: ['//', '#'],
      blockComments: [['/*', '*/']],
      strings: [
        { ...single, isMultiline: true },
        { ...double, isMultiline: true, interpolation: always('{$', '${', '$') },
      ],
      startsAfter: '<?php',
      hasHeredocs: true,
      hasHashAttributes: true,
    },
  ],
  ['rust', { ...SLASHES, strings: [{ ...double, isMultiline: true }, single] }],
]);

export function syntaxOf(language: string | null): Syntax | null {
  return (language && SYNTAXES.get(language)) || null;
}
