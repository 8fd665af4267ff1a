/** Following a quote into another text, case by case. */
import { describe, expect, it } from 'vitest';
import { anchorAt } from './anchor.ts';
import { compareTexts, portAnchor } from './port-anchor.ts';

describe('portAnchor', () => {
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
      name: 'a sentence whose neighbors in the paragraph changed is exact',
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

  it('is moved to the copy with the most similar context if the new text contains several', () => {
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

  it('returns the heading above that still exists, a renamed one by its new name', () => {
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

  it('accepts an anchor instead of a range, and finds the right copy', () => {
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

  it('is orphaned for an anchor that is not in the old text', () => {
    const anchor = { quote: 'not there', prefix: '', suffix: '', heading: 'One' };
    expect(portAnchor(anchor, compareTexts('# One\n\nText.', '# One\n\nOther text.'))).toEqual({
      result: 'orphaned',
      heading: 'One',
    });
  });

  it('follows a quote of many pages in which every sentence changed', () => {
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
