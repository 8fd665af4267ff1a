/** Anchors are read as people and programs write them; what points nowhere is no anchor. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../test/helpers/text/any-character.ts';
import { anchorAt, readAnchor } from './anchor.ts';

const CONTENT = [
  '# Plan',
  'We keep the list short. We keep the list short.',
  '## Steps',
  '- write the\n  migration first\n- run it',
  '## Checks',
  'We keep the list short. Then we “measure” 😀 twice.',
].join('\n\n');

const json = (value: object) => JSON.stringify(value);

describe('readAnchor with what the web app writes', () => {
  it('finds the range that an anchor was made for, however often its text occurs', () => {
    const text = fc
      .array(
        fc.constantFrom('same words. ', 'other. ', '\n\n# Top\n\n', '\n\n## Part\n\n', '😀', 'é', '- item\n'),
        {
          minLength: 1,
          maxLength: 30,
        },
      )
      .map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, fc.nat(400), fc.integer({ min: 1, max: 60 }), (content, from, length) => {
        const range = {
          start: from % content.length,
          end: Math.min(content.length, (from % content.length) + length),
        };
        const quote = content.slice(range.start, range.end);
        fc.pre(quote.trim() !== '' && quote.isWellFormed());
        const found = readAnchor(json(anchorAt(range, content)), content);
        expect(found?.anchor.quote).toBe(quote);
        // Two places with the same 64 characters around cannot be told apart by them.
        const same = found && anchorAt(found, content);
        expect(same).toEqual(anchorAt(range, content));
      }),
      { numRuns: 1000 },
    );
  });

  it('chooses among copies by their context', () => {
    const found = readAnchor(
      json({ quote: 'the list', prefix: 'short. We keep ', suffix: ' short.\n' }),
      CONTENT,
    );
    expect(found?.start).toBe(CONTENT.indexOf('the list', CONTENT.indexOf('the list') + 1));
  });

  it('chooses the copy whose context matches best if none matches completely', () => {
    const content = 'Red keep it small, blue.\n\nGreen keep it small, yellow.\n\nGrey keep it small, white.';
    const found = readAnchor(
      json({ quote: 'keep it small', prefix: 'Dark Green ', suffix: ', pink' }),
      content,
    );
    expect(found?.start).toBe(content.indexOf('keep', content.indexOf('Green')));
  });

  it('chooses among copies by the heading if the context is the same', () => {
    const found = readAnchor(
      json({ quote: 'keep the list', prefix: '', suffix: '', heading: 'Checks' }),
      CONTENT,
    );
    expect(found).toMatchObject({
      start: CONTENT.lastIndexOf('keep the list'),
      anchor: { heading: 'Checks' },
    });
  });

  it('ignores differences in white space', () => {
    const found = readAnchor(json({ quote: 'write the migration  first' }), CONTENT);
    expect(found?.anchor.quote).toBe('write the\n  migration first');
  });

  it('is undefined if the quote is missing, empty, or not a string', () => {
    for (const quote of ['nowhere to be found', '', '  \n', 5, null, {}, ['We'], undefined]) {
      expect(readAnchor(json({ quote, prefix: 'We', suffix: '' }), CONTENT)).toBeUndefined();
    }
  });

  it('ignores contexts and headings that are not strings', () => {
    const found = readAnchor(json({ quote: 'run it', prefix: 3, suffix: [], heading: { a: 1 } }), CONTENT);
    expect(found?.anchor).toMatchObject({ quote: 'run it', heading: 'Steps' });
  });
});

describe('readAnchor with free text', () => {
  const quoted = (text: string) => readAnchor(text, CONTENT)?.anchor.quote;

  it('finds it literally, or with different white space', () => {
    expect(quoted('run it')).toBe('run it');
    expect(quoted('write the migration\tfirst')).toBe('write the\n  migration first');
  });

  it('finds it in quotation marks and after `>`', () => {
    expect(quoted('> We keep the list short.')).toBe('We keep the list short.');
    expect(quoted('> write the\n> migration first')).toBe('write the\n  migration first');
    for (const text of ['"run it"', '“run it”', "'run it'", '«run it»', '`run it`', ' "run it" \n']) {
      expect(quoted(text)).toBe('run it');
    }
  });

  it('keeps quotation marks that are in the content', () => {
    expect(quoted('“measure”')).toBe('“measure”');
  });

  it('is undefined for text that does not occur', () => {
    for (const text of ['', '   ', '""', '>', 'We keep the list long.', '{', '{"quote"', 'null', '[]', '7']) {
      expect(readAnchor(text, CONTENT)).toBeUndefined();
    }
  });

  it('finds text that happens to be JSON', () => {
    const content = 'Send `{"name": "x"}` to it.';
    expect(readAnchor('{"name": "x"}', content)?.start).toBe(6);
  });
});

describe('readAnchor with any text', () => {
  it('never throws, and returns only ranges of the content that split no character', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.json(),
      fc.constantFrom('\ude00', '\ud83d', '{"quote":"\\ude00"}'),
    );
    fc.assert(
      fc.property(
        text,
        fc.oneof(fc.constant(CONTENT), fc.string({ unit: anyCharacter })),
        (anchor, content) => {
          const found = readAnchor(anchor, content);
          if (!found) return;
          expect(found.anchor.quote).toBe(content.slice(found.start, found.end));
          expect(found.anchor.quote).not.toBe('');
          const around = [
            content.slice(0, found.start),
            content.slice(found.start, found.end),
            content.slice(found.end),
          ];
          if (content.isWellFormed()) expect(around.every((part) => part.isWellFormed())).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });

  // Some of these take minutes where a search is quadratic, so finishing is the guarantee.
  it('finishes for huge and hostile anchors', () => {
    const size = 1 << 20;
    const letters = 'a'.repeat(size);
    const words = 'a '.repeat(size / 2);
    const half = 'a'.repeat(32_000);
    expect(readAnchor(json({ quote: `${half}b${half}` }), letters)).toBeUndefined();
    expect(readAnchor(json({ quote: `${'a '.repeat(30_000)}b` }), words)).toBeUndefined();
    expect(
      readAnchor(json({ quote: 'a', prefix: letters, suffix: letters, heading: letters }), letters),
    ).toBeDefined();
    expect(readAnchor(`${'{"quote":'.repeat(100_000)}1${'}'.repeat(100_000)}`, letters)).toBeUndefined();
    expect(readAnchor('> '.repeat(size / 2), letters)).toBeUndefined();
    expect(readAnchor('"'.repeat(size), letters)).toBeUndefined();
  });
});
