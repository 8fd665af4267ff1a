/** A quote is followed to where it went, and never called the same when it is not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anchorAt } from './anchor.ts';
import { compareTexts, differsInWhiteSpaceOnly, type Placement, portAnchor } from './port-anchor.ts';

describe('portAnchor, for any two texts and any place', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.string({ unit: 'grapheme', maxLength: 80 }),
    fc
      .array(
        fc.constantFrom(
          'alpha beta.',
          '# Top',
          '- item',
          '\n',
          '\n\n',
          '😀',
          '字。',
          'é',
          '```',
          ' ',
          '\r\n',
        ),
        {
          maxLength: 40,
        },
      )
      .map((pieces) => pieces.join('')),
  );
  const related = fc
    .tuple(text, fc.array(fc.tuple(fc.nat(80), fc.nat(20), fc.string({ maxLength: 10 })), { maxLength: 4 }))
    .map(([before, edits]) => {
      let after = before;
      for (const [at, removed, added] of edits)
        after = after.slice(0, at) + added + after.slice(at + removed);
      return { before, after };
    });
  const pair = fc.oneof(fc.record({ before: text, after: text }), related);
  const place = fc.record({
    start: fc.integer({ min: -5, max: 100 }),
    end: fc.integer({ min: -5, max: 100 }),
  });

  it('answers within the text, parts no character, and calls only the literal quote exact or moved', () => {
    fc.assert(
      fc.property(pair, place, ({ before, after }, range) => {
        const placement = portAnchor(range, compareTexts(before, after));
        if (placement.result === 'orphaned') return;
        expectWithin(after, placement);
        const quote = widened(before, range);
        if (placement.result === 'edited') {
          expect(placement.oldText).toBe(quote);
          expect(placement.newText).toBe(after.slice(placement.start, placement.end));
          expect(placement.newText).not.toBe(quote);
        } else expect(after.slice(placement.start, placement.end)).toBe(quote);
      }),
      { numRuns: 3000 },
    );
  });

  it('gives the same answer every time, whatever was asked of the comparison before', () => {
    fc.assert(
      fc.property(pair, fc.array(place, { minLength: 1, maxLength: 5 }), ({ before, after }, ranges) => {
        const shared = compareTexts(before, after);
        const reused = ranges.map((range) => portAnchor(range, shared));
        const fresh = ranges.map((range) => portAnchor(range, compareTexts(before, after)));
        expect(reused).toEqual(fresh);
      }),
      { numRuns: 500 },
    );
  });

  it('is exact at the same place in an unchanged text', () => {
    fc.assert(
      fc.property(text, place, (before, range) => {
        const placement = portAnchor(range, compareTexts(before, before));
        expect(placement.result).toBe('exact');
        if (placement.result === 'exact')
          expect(before.slice(placement.start, placement.end)).toBe(widened(before, range));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('portAnchor, for a text of paragraphs', () => {
  /** Paragraphs that have no word in common but the small ones, in several scripts. */
  const paragraphs = fc
    .array(fc.record({ script: fc.nat(4), sentences: fc.integer({ min: 1, max: 3 }) }), {
      minLength: 6,
      maxLength: 12,
    })
    .map((list) => list.map(({ script, sentences }, index) => paragraph(script, index, sentences)));
  const two = fc.tuple(fc.nat(1000), fc.nat(1000));

  it('is exact and shifted when other text is put in elsewhere', () => {
    fc.assert(
      fc.property(paragraphs, two, (list, [which, where]) => {
        const quoted = which % list.length;
        const at = where % (list.length + 1);
        const changed = [...list.slice(0, at), 'Something new that nobody wrote before.', ...list.slice(at)];
        const index = at <= quoted ? quoted + 1 : quoted;
        expect(follow(list, quoted, changed)).toEqual({ result: 'exact', ...placeOf(changed, index) });
      }),
    );
  });

  it('is exact and shifted when other text is left out', () => {
    fc.assert(
      fc.property(paragraphs, two, (list, [which, where]) => {
        const quoted = which % list.length;
        const gone = where % list.length;
        fc.pre(gone !== quoted);
        const changed = list.toSpliced(gone, 1);
        const index = gone < quoted ? quoted - 1 : quoted;
        expect(follow(list, quoted, changed)).toEqual({ result: 'exact', ...placeOf(changed, index) });
      }),
    );
  });

  it('is moved when its paragraph is put elsewhere', () => {
    fc.assert(
      fc.property(paragraphs, two, (list, [which, where]) => {
        const from = which % list.length;
        const to = where % list.length;
        // Of two neighbours that changed places either may be the one that moved.
        fc.pre(Math.abs(from - to) > 1);
        const changed = list.toSpliced(from, 1).toSpliced(to, 0, list[from]!);
        expect(follow(list, from, changed)).toEqual({ result: 'moved', ...placeOf(changed, to) });
      }),
    );
  });

  it('is orphaned under its heading when its paragraph is left out', () => {
    fc.assert(
      fc.property(paragraphs, fc.nat(1000), (list, which) => {
        const quoted = which % list.length;
        const sections = list.map((text, index) => `## Section ${index}\n\n${text}`);
        const changed = sections.with(quoted, `## Section ${quoted}`);
        const before = sections.join('\n\n');
        const start = before.indexOf(list[quoted]!);
        const range = { start, end: start + list[quoted]!.length };
        expect(portAnchor(range, compareTexts(before, changed.join('\n\n')))).toEqual({
          result: 'orphaned',
          heading: `Section ${quoted}`,
        });
      }),
    );
  });

  it('is edited, with the old and the new words, when a word of it is another', () => {
    fc.assert(
      fc.property(paragraphs, two, (list, [which, word]) => {
        const quoted = which % list.length;
        const words = list[quoted]!.split(' ');
        words[word % words.length] = `replaced${/[.。]$/.exec(words[word % words.length]!)?.[0] ?? ''}`;
        fc.pre(words.length > 3);
        const changed = list.with(quoted, words.join(' '));
        expect(follow(list, quoted, changed)).toEqual({
          result: 'edited',
          ...placeOf(changed, quoted),
          oldText: list[quoted],
          newText: changed[quoted],
        });
      }),
    );
  });

  it('keeps each of several equal paragraphs at its own place', () => {
    fc.assert(
      fc.property(paragraphs, fc.nat(1000), (list, where) => {
        const copy = 'The same words stand here more than once.';
        const doubled = list.flatMap((text, index) => (index % 3 === 1 ? [text, copy] : [text]));
        const at = where % (list.length + 1);
        const changed = doubled.toSpliced(at, 0, 'A paragraph of its own, put in.');
        for (const [index, text] of doubled.entries()) {
          if (text !== copy) continue;
          const now = at <= index ? index + 1 : index;
          expect(follow(doubled, index, changed)).toEqual({ result: 'exact', ...placeOf(changed, now) });
        }
      }),
    );
  });

  it('does not take another copy that was always there for one that was left out', () => {
    fc.assert(
      fc.property(paragraphs, (list) => {
        const copy = 'The same words stand here more than once.';
        const doubled = [...list.slice(0, 2), copy, ...list.slice(2, 5), copy, ...list.slice(5)];
        const changed = doubled.toSpliced(2, 1);
        expect(follow(doubled, 2, changed).result).toBe('orphaned');
        expect(follow(doubled, 6, changed)).toEqual({ result: 'exact', ...placeOf(changed, 5) });
      }),
    );
  });

  it('follows words inside a line when all line breaks change their kind', () => {
    fc.assert(
      fc.property(paragraphs, fc.nat(1000), (list, which) => {
        const quoted = which % list.length;
        const before = list.join('\n\n');
        const after = list.join('\r\n\r\n');
        const start = before.indexOf(list[quoted]!);
        const placement = portAnchor(
          { start, end: start + list[quoted]!.length },
          compareTexts(before, after),
        );
        expect(placement.result).toBe('exact');
      }),
    );
  });
});

describe('portAnchor, case by case', () => {
  const cases: Array<{
    name: string;
    quote: string;
    before: string;
    after: string;
    result: string;
    now?: string;
  }> = [
    {
      name: 'a sentence that was rewrapped is edited, with the same words',
      quote: 'One sentence that is wrapped.',
      before: 'First of all. One sentence that is wrapped. Last of all.',
      after: 'First of all. One sentence that\nis wrapped. Last of all.',
      result: 'edited',
      now: 'One sentence that\nis wrapped.',
    },
    {
      name: 'a sentence whose neighbours in the paragraph changed is exact',
      quote: 'The cache is kept for a day.',
      before: 'We store replies. The cache is kept for a day. Then it goes.',
      after: 'We store all replies on disk. The cache is kept for a day. After that it is removed.',
      result: 'exact',
      now: 'The cache is kept for a day.',
    },
    {
      name: 'a sentence that was split in two is edited and covers both',
      quote: 'The worker reads the queue and writes the result to the table.',
      before:
        'Intro stays.\n\nThe worker reads the queue and writes the result to the table.\n\nOutro stays.',
      after: 'Intro stays.\n\nThe worker reads the queue. It writes the result to the table.\n\nOutro stays.',
      result: 'edited',
      now: 'The worker reads the queue. It writes the result to the table.',
    },
    {
      name: 'a sentence that was joined to another is edited and covers its own part',
      quote: 'Each plan has many versions.',
      before: 'Each user owns several plans. Each plan has many versions.',
      after: 'Each user owns several plans, and each plan has many versions.',
      result: 'edited',
      now: 'each plan has many versions.',
    },
    {
      name: 'a list item that changed places is moved',
      quote: 'write the migration',
      before: '- write the migration\n- add the endpoint\n- test the page\n- deploy\n',
      after: '- add the endpoint\n- test the page\n- deploy\n- write the migration\n',
      result: 'moved',
      now: 'write the migration',
    },
    {
      name: 'a sentence that went to the front of its paragraph is moved',
      quote: 'Last we tell the people who asked.',
      before:
        'First we plan it. Then we build the thing. Next we test all of it. Last we tell the people who asked.',
      after:
        'Last we tell the people who asked. First we plan it. Then we build the thing. Next we test all of it.',
      result: 'moved',
      now: 'Last we tell the people who asked.',
    },
    {
      name: 'a line with a label became the line with the same label, whatever it says',
      quote: '- Status: awaiting review',
      before: 'Above.\n\n- Author: someone\n- Status: awaiting review\n- Manager: nobody\n\nBelow.',
      after: 'Above.\n\n- Authors: other people\n- Status: implemented in 3.0\n- Bug: none known\n\nBelow.',
      result: 'edited',
      now: '- Status: implemented in 3.0',
    },
    {
      name: 'a quote of which one sentence is left is edited and covers what is left',
      quote: 'Keys are checked on every request. Sessions end after a month without any use.',
      before:
        'Intro.\n\nKeys are checked on every request. Sessions end after a month without any use.\n\nOutro.',
      after: 'Intro.\n\nKeys are checked on every request.\n\nOutro.',
      result: 'edited',
      now: 'Keys are checked on every request.',
    },
    {
      name: 'a paragraph that went to another section and was edited there is edited',
      quote: 'Keys are hashed with SHA-256 before they are stored in the table.',
      before:
        '# A\n\nKeys are hashed with SHA-256 before they are stored in the table.\n\nStays one.\n\n# B\n\nStays two.\n',
      after:
        '# A\n\nStays one.\n\n# B\n\nStays two.\n\nKeys are hashed with SHA-256 before they are written to the table.\n',
      result: 'edited',
      now: 'Keys are hashed with SHA-256 before they are written to the table.',
    },
    {
      name: 'a heading of another level is edited',
      quote: '## Open questions',
      before: 'Text above.\n\n## Open questions\n\nText below.',
      after: 'Text above.\n\n### Open questions\n\nText below.',
      result: 'edited',
      now: '### Open questions',
    },
    {
      name: 'a box that was ticked is edited, marker and all',
      quote: '- [ ] Measure the query',
      before: '- [ ] Write the query\n- [ ] Measure the query\n',
      after: '- [x] Write the query\n- [x] Measure the query\n',
      result: 'edited',
      now: '- [x] Measure the query',
    },
    {
      name: 'a few words of a changed sentence are exact where they still stand',
      quote: 'every two hours',
      before: 'The job runs every two hours on the worker.',
      after: 'The clean-up job runs every two hours on each node.',
      result: 'exact',
      now: 'every two hours',
    },
    {
      name: 'words that were replaced in their sentence are edited',
      quote: 'two hours',
      before: 'The clean-up job runs every two hours on the worker node.',
      after: 'The clean-up job runs every ten minutes on the worker node.',
      result: 'edited',
      now: 'ten minutes',
    },
    {
      name: 'a word is not found inside a longer one',
      quote: 'on',
      before: 'The switch is on for members.',
      after: 'The switch is once again off for members.',
      result: 'edited',
      now: 'once again off',
    },
    {
      name: 'Chinese without spaces is followed by character',
      quote: '每个计划都有多个版本。',
      before: '我们保存所有回复。每个计划都有多个版本。评论属于一个版本。',
      after: '我们保存所有回复。每个计划都可以有很多版本。评论属于一个版本。',
      result: 'edited',
      now: '每个计划都可以有很多版本。',
    },
    {
      name: 'text that is written from right to left is followed',
      quote: 'كل خطة لها عدة إصدارات.',
      before: 'نحفظ كل الردود. كل خطة لها عدة إصدارات. انتهى النص هنا.',
      after: 'جملة جديدة في البداية. نحفظ كل الردود. كل خطة لها عدة إصدارات. انتهى النص هنا.',
      result: 'exact',
      now: 'كل خطة لها عدة إصدارات.',
    },
    {
      name: 'an emoji of several parts stays whole',
      quote: 'Ship it 👩‍👩‍👧 today',
      before: 'Ship it 👩‍👩‍👧 today',
      after: 'Ship it 👩‍👩‍👦 today',
      result: 'edited',
      now: 'Ship it 👩‍👩‍👦 today',
    },
  ];
  for (const { name, quote, before, after, result, now } of cases) {
    it(name, () => {
      const start = before.indexOf(quote);
      const placement = portAnchor({ start, end: start + quote.length }, compareTexts(before, after));
      expect(placement.result).toBe(result);
      if (placement.result !== 'orphaned') expect(after.slice(placement.start, placement.end)).toBe(now);
    });
  }

  it('is moved to the copy with the most similar surroundings when new text holds several', () => {
    const quote = 'Rotate the signing keys every ninety days.';
    const stays = Array.from({ length: 8 }, (_, index) => `Paragraph number ${index} stays where it is.`);
    const before = [`Security first. ${quote} Ask the team.`, ...stays].join('\n\n');
    const after = [
      ...stays,
      `Other words. ${quote} More words.`,
      `Security first. ${quote} Ask the team.`,
    ].join('\n\n');
    const start = before.indexOf(quote);
    const now = after.lastIndexOf(quote);
    expect(portAnchor({ start, end: start + quote.length }, compareTexts(before, after))).toEqual({
      result: 'moved',
      start: now,
      end: now + quote.length,
    });
  });

  it('names the heading above that is still there, the renamed one by its new name', () => {
    const before =
      '# Plan\n\n## Storage\n\n### Old part\n\nA sentence about nothing else.\n\n## Next\n\nText.';
    const place = { start: before.indexOf('A sentence'), end: before.indexOf('\n\n## Next') };
    const orphaned = (after: string) => portAnchor(place, compareTexts(before, after));
    expect(orphaned('# Plan\n\n## Storage\n\n## Next\n\nText.')).toEqual({
      result: 'orphaned',
      heading: 'Storage',
    });
    expect(orphaned('# Plan\n\n## Next\n\nText.')).toEqual({ result: 'orphaned', heading: 'Plan' });
    expect(orphaned('Text.')).toEqual({ result: 'orphaned', heading: null });
    expect(orphaned('# Plan\n\n## Storage\n\n### Older part\n\n## Next\n\nText.')).toEqual({
      result: 'orphaned',
      heading: 'Older part',
    });
  });

  it('takes an anchor in place of a range, and finds the copy it means', () => {
    const before = '# One\n\nThe same text.\n\n# Two\n\nThe same text.\n';
    const after = '# Zero\n\nThe same text.\n\n# One\n\nThe same text.\n\n# Two\n\nThe same text.\n';
    const start = before.lastIndexOf('The same');
    const anchor = anchorAt({ start, end: start + 14 }, before);
    const now = after.lastIndexOf('The same');
    expect(portAnchor(anchor, compareTexts(before, after))).toEqual({
      result: 'exact',
      start: now,
      end: now + 14,
    });
  });

  it('is orphaned for an anchor that the old text does not hold', () => {
    const anchor = { quote: 'not there', prefix: '', suffix: '', heading: 'One' };
    expect(portAnchor(anchor, compareTexts('# One\n\nText.', '# One\n\nOther text.'))).toEqual({
      result: 'orphaned',
      heading: 'One',
    });
  });

  it('follows a quote of many pages whose every sentence changed, from its first to its last', () => {
    const lines = (word: string) =>
      Array.from({ length: 300 }, (_, index) => `Line ${index} says ${word} about thing${index}.\n\n`);
    const before = `Top.\n\n${lines('much').join('')}End.`;
    const after = `Top, changed.\n\n${lines('little').join('')}End.`;
    const placement = portAnchor({ start: 6, end: before.length - 6 }, compareTexts(before, after));
    expect(placement.result).toBe('edited');
    if (placement.result === 'edited') {
      expect(placement.newText.startsWith('Line 0 says little')).toBe(true);
      expect(placement.newText.endsWith('about thing299.')).toBe(true);
    }
  });

  // Each of these was quadratic in a draft, or is the worst there is for the built-in search: finishing is the guarantee.
  it('finishes for hostile texts of a megabyte', () => {
    const size = 1 << 20;
    const hostile: Array<[string, string]> = [
      ['.'.repeat(size), '. '.repeat(size / 2)],
      ['a'.repeat(size), `${'a'.repeat(size / 2)}b${'a'.repeat(size / 2)}`],
      ['> '.repeat(size / 2), '>  '.repeat(size / 3)],
      ['- x y z\n'.repeat(size / 8), '- x y w\n'.repeat(size / 8)],
    ];
    for (const [before, after] of hostile) {
      const comparison = compareTexts(before, after);
      const results = [100, 60_000].map(
        (length) => portAnchor({ start: 1000, end: 1000 + length }, comparison).result,
      );
      expect(results).toHaveLength(2);
    }
  });
});

describe('compareTexts', () => {
  it('gives regions in order, with literally equal text between them', () => {
    const line = fc.constantFrom('', 'alpha', 'beta beta', '# Top', '- item', '```', '\r', 'é');
    const lines = fc.array(line, { maxLength: 30 }).map((list) => list.join('\n'));
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        let [left, right] = [0, 0];
        const end = { beforeStart: before.length, beforeEnd: 0, afterStart: after.length, afterEnd: 0 };
        for (const region of [...compareTexts(before, after).regions, end]) {
          // The last line has no line break in one of the texts when it has become another line's.
          const equal = before.slice(left, region.beforeStart).trimEnd();
          expect(after.slice(right, region.afterStart).trimEnd()).toBe(equal);
          [left, right] = [region.beforeEnd, region.afterEnd];
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('differsInWhiteSpaceOnly', () => {
  it('distinguishes a rewrapped sentence from one with different words', () => {
    expect(differsInWhiteSpaceOnly('a b\nc', 'a\n  b c')).toBe(true);
    expect(differsInWhiteSpaceOnly('a b', 'a c')).toBe(false);
  });
});

function paragraph(script: number, index: number, sentences: number): string {
  const letter = String.fromCharCode(97 + index);
  const stems = [
    (number: number) => `${letter}${'bcdfghjk'[number % 8]}ord${letter}${number}`,
    (number: number) => `ñ${letter}e\u0301${number}ção`,
    (number: number) => `עברית${letter}${number}`,
    (number: number) => `😀${letter}👩‍👧${number}`,
    (number: number) => String.fromCodePoint(0x4e00 + index * 400 + number * 3).repeat(2),
  ];
  return Array.from({ length: sentences }, (_, sentence) =>
    Array.from({ length: 6 }, (_, word) => stems[script]!(sentence * 6 + word)).join(' '),
  )
    .map((text) => `${text}.`)
    .join(' ');
}

function placeOf(list: string[], index: number): { start: number; end: number } {
  const start = list.slice(0, index).join('\n\n').length + (index > 0 ? 2 : 0);
  return { start, end: start + list[index]!.length };
}

function follow(before: string[], index: number, after: string[]): Placement {
  return portAnchor(placeOf(before, index), compareTexts(before.join('\n\n'), after.join('\n\n')));
}

/** The quote of a range: within the text, and wider by half a character where an end parts one. */
function widened(text: string, { start, end }: { start: number; end: number }): string {
  let from = Math.min(Math.max(start, 0), text.length);
  let to = Math.min(Math.max(end, from), text.length);
  if (partsCharacter(text, from)) from -= 1;
  if (partsCharacter(text, to)) to += 1;
  return text.slice(from, to);
}

function expectWithin(text: string, { start, end }: { start: number; end: number }): void {
  expect(start).toBeGreaterThanOrEqual(0);
  expect(end).toBeGreaterThanOrEqual(start);
  expect(end).toBeLessThanOrEqual(text.length);
  expect(partsCharacter(text, start)).toBe(false);
  expect(partsCharacter(text, end)).toBe(false);
}

function partsCharacter(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, at - 1), at + 1)) && at > 0;
}
