/** The difference between two texts, by word and by line. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareLines, compareWords, type WordPiece } from './compare-words.ts';

const TEXT = fc
  .array(fc.constantFrom('one', 'two', 'three', ' ', '\n', '🌙', 'é', '.', '**'), { maxLength: 60 })
  .map((parts) => parts.join(''));
const sideOf = (changes: WordPiece[], left: WordPiece['change'], glue = '') =>
  changes
    .filter(({ change }) => change !== left)
    .map(({ text }) => text)
    .join(glue);

describe('a difference', () => {
  it('contains both texts completely, by word and by line', () => {
    fc.assert(
      fc.property(TEXT, TEXT, (before, after) => {
        const { pieces: words } = compareWords(before, after);
        expect(sideOf(words, 'added')).toBe(before);
        expect(sideOf(words, 'removed')).toBe(after);
        const lines = compareLines(before, after);
        expect(sideOf(lines, 'added', '\n')).toBe(before);
        expect(sideOf(lines, 'removed', '\n')).toBe(after);
      }),
    );
    expect(compareWords('which is 24 hours later', 'which is 72 hours later').pieces).toEqual([
      { change: 'same', text: 'which is ' },
      { change: 'removed', text: '24' },
      { change: 'added', text: '72' },
      { change: 'same', text: ' hours later' },
    ]);
    expect(compareWords('with a limit', 'on the client').pieces, 'a phrase stays whole').toEqual([
      { change: 'removed', text: 'with a limit' },
      { change: 'added', text: 'on the client' },
    ]);
  });
});
