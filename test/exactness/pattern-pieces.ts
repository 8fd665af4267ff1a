/** Generates patterns in ripgrep's syntax, each with texts that it should match. */
import fc from 'fast-check';

/** A piece of a pattern, and texts that it should match. Bytes, one to a character. */
export interface Piece {
  source: string;
  samples: string[];
}

const PLAIN = [...'abcksABKS1_- .#'];
const FOREIGN = [...'éÉßẞſKσςΣİıяЯ日😀', '\u0301'];
const ESCAPES: Array<[source: string, sample: string]> = [
  ['\\x41', 'A'],
  ['\\x6b', 'k'],
  ['\\xe9', bytes('é')],
  ['\\x{1F600}', bytes('😀')],
  ['\\u00e9', bytes('é')],
  ['\\u{212A}', bytes('K')],
  ['\\U0001F600', bytes('😀')],
  ['\\t', '\t'],
  ['\\v', '\v'],
  ['\\.', '.'],
  ['\\-', '-'],
  ['\\#', '#'],
  ['\\ ', ' '],
  ['\\\\', '\\'],
];
const SETS: Array<[source: string, sample: string]> = [
  ['.', 'x'],
  ['(?s:.)', bytes('日')],
  ['(?R:.)', 'b'],
  ['\\d', bytes('٣')],
  ['\\w', bytes('é')],
  ['\\s', bytes('\u2003')],
  ['\\D', 'k'],
  ['\\W', '-'],
  ['\\S', 's'],
  ['\\pL', bytes('я')],
  ['\\P{Greek}', 'a'],
  ['\\p{Greek}', bytes('σ')],
  ['\\p{sc=Cyrillic}', bytes('я')],
  ['(?-u:.)', '\xff'],
  ['(?-u:\\xFF)', '\xff'],
  ['(?-u:\\xC3\\xA9)', bytes('é')],
  ['(?-u:[\\xFE\\xFF])', '\xfe'],
  ['(?-u:[~-\\x82])', '\x81'],
  ['(?-u:[^a])', '\xc3'],
  ['(?i-u:ks)', 'Ks'],
];
const ASSERTIONS = [
  '^',
  '$',
  '\\A',
  '\\z',
  '\\b',
  '\\B',
  '\\b{start}',
  '\\b{end-half}',
  '\\<',
  '\\>',
  '(?m:^)',
  '\\b{2}',
];
const CLASS_ITEMS: Array<[source: string, sample: string]> = [
  ['a', 'a'],
  ['k', 'K'],
  ['S', 's'],
  ['é', bytes('é')],
  ['a-c', 'b'],
  ['0-9', '7'],
  ['X-Z', 'Y'],
  ['à-ê', bytes('é')],
  ['\\x{1F600}-\\x{1F610}', bytes('😀')],
  ['[:alpha:]', 'k'],
  ['[:^alpha:]', '-'],
  ['[bc]', 'b'],
  ['[^bc]', 'a'],
  ['[ab&&bc]', 'b'],
  ['\\d', '1'],
  ['\\W', '.'],
  ['\\p{Greek}', bytes('σ')],
  ['\\n', ''],
  ['\\]', ']'],
  ['.', '.'],
  [' ', ' '],
  ['\\-', '-'],
];

const character = fc
  .oneof({ arbitrary: fc.constantFrom(...PLAIN), weight: 5 }, fc.constantFrom(...FOREIGN))
  .map((text): Piece => {
    const source = text === '.' ? '\\.' : text;
    return { source, samples: [bytes(text)] };
  });
const word = fc.array(character, { minLength: 3, maxLength: 5 }).map(sequence);
const classPiece = fc
  .record({
    opening: fc.constantFrom('[', '[', '[', '[^', '[-', '[]', '[^]', '[--'),
    items: fc.array(fc.constantFrom(...CLASS_ITEMS), { minLength: 1, maxLength: 4 }),
    joint: fc.constantFrom('', '', '', '&&', '--', '~~'),
    closing: fc.constantFrom(']', ']', '-]'),
  })
  .map(
    ({ opening, items, joint, closing }): Piece => ({
      source: opening + items.map(([source]) => source).join(joint) + closing,
      samples: [...items.map(([, sample]) => sample), 'z', '-', ']'].slice(0, 5),
    }),
  );
export const { pattern: patternPiece } = fc.letrec<{ pattern: Piece; item: Piece }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    word,
    { arbitrary: fc.array(tie('item'), { minLength: 2, maxLength: 7 }).map(sequence), weight: 6 },
    { arbitrary: fc.array(tie('item'), { minLength: 2, maxLength: 4 }).map(alternatives), weight: 1 },
    {
      arbitrary: fc
        .tuple(fc.constantFrom('(?i)', '(?x)', '(?s)', '(?i-s)', '(?-i)'), tie('pattern'))
        .map(prefixed),
      weight: 1,
    },
  ),
  item: fc.oneof(
    { maxDepth: 4 },
    { arbitrary: character, weight: 6 },
    { arbitrary: word, weight: 1 },
    {
      arbitrary: fc.constantFrom(...ESCAPES, ...SETS).map(([source, sample]) => piece(source, sample)),
      weight: 2,
    },
    { arbitrary: fc.constantFrom(...ASSERTIONS).map((source) => piece(source, '')), weight: 1 },
    { arbitrary: classPiece, weight: 2 },
    {
      arbitrary: fc
        .tuple(
          fc.constantFrom('(', '(?:', '(?P<n>', '(?<m>', '(?i:', '(?-i:', '(?x:', '(?is-m:', '(?u:'),
          fc.oneof(tie('pattern'), fc.array(tie('item'), { minLength: 1, maxLength: 3 }).map(alternatives)),
        )
        .map(([opening, inner]): Piece => ({ source: `${opening}${inner.source})`, samples: inner.samples })),
      weight: 3,
    },
    {
      arbitrary: fc
        .tuple(
          tie('item'),
          fc.constantFrom(
            '*',
            '+',
            '?',
            '{0}',
            '{1}',
            '{2}',
            '{2,}',
            '{0,2}',
            '{1,3}',
            '{5}',
            '*?',
            '+?',
            '??',
            '{2}?',
          ),
        )
        .map(([inner, sign]) => repetition(inner, sign)),
      weight: 3,
    },
  ),
}));

/** Random syntax: most is refused, the rest parses in ways that no one would write. */
export const soup = fc
  .array(
    fc.constantFrom(
      ...[
        'a',
        'b',
        'k',
        's',
        'abc',
        'abd',
        'é',
        ' ',
        '  ',
        '#',
        '\n',
        '-',
        '&',
        '~',
        ':',
        ',',
        '1',
        '2',
        '<',
        '>',
      ],
      ...[
        '[',
        ']',
        '[',
        ']',
        '[^',
        '&&',
        '--',
        '~~',
        '[:',
        ':]',
        '[:alpha:]',
        '(',
        ')',
        '(?:',
        '(?i)',
        '(?x)',
        '(?-x)',
      ],
      ...[
        '(?i-u)',
        '(?-u:',
        '(?x:',
        '(?P<a>',
        '(?<b>',
        '|',
        '|',
        '*',
        '+',
        '?',
        '{',
        '}',
        '{2}',
        '{1,2}',
        '{ 2 }',
      ],
      ...[
        '\\',
        '\\b',
        '\\b{start}',
        '\\b{',
        '\\x',
        '\\x{',
        '\\x61',
        '\\x{6 1}',
        '\\u',
        '\\p',
        '\\pL',
        '\\p{L}',
        '^',
        '$',
      ],
      ...['.', '\\.', '\\d', '\\n', '\\r', '\\s', '\\ ', '\\#', '\\]', '\\-'],
    ),
    { minLength: 2, maxLength: 9 },
  )
  .map((tokens): Piece => {
    const text = tokens.join('');
    const letters = bytes(text.replaceAll(/[^a-zé# &~:,12<>-]/g, ''));
    return { source: text, samples: [letters, letters.replaceAll(/[ #]/g, ''), bytes(text)] };
  });

export function bytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function piece(source: string, sample: string): Piece {
  return { source, samples: [sample] };
}

function sequence(pieces: Piece[]): Piece {
  const count = Math.max(...pieces.map(({ samples }) => samples.length));
  const samples = Array.from({ length: count }, (_, index) =>
    pieces.map((each) => each.samples[index % each.samples.length]).join(''),
  );
  return { source: pieces.map(({ source }) => source).join(''), samples };
}

function alternatives(pieces: Piece[]): Piece {
  return {
    source: pieces.map(({ source }) => source).join('|'),
    samples: pieces.map(({ samples }) => samples[0]!),
  };
}

function prefixed([flags, inner]: [flags: string, inner: Piece]): Piece {
  return { source: flags + inner.source, samples: inner.samples };
}

/** A word is repeated as a group; with one sample for the minimum count and one for more. */
function repetition(inner: Piece, sign: string): Piece {
  const isOne = Array.from(inner.source).length === 1 || /^(\\.|\[[^[\]]*\])$/.test(inner.source);
  const least = sign.startsWith('+') ? 1 : Number(/\d/.exec(sign)?.[0] ?? 0);
  const [first, second] = [inner.samples[0]!, inner.samples.at(-1)!];
  return {
    source: `${isOne ? inner.source : `(?:${inner.source})`}${sign}`,
    samples: [first.repeat(least), first + second.repeat(Math.max(0, least - 1)), second.repeat(least + 1)],
  };
}
