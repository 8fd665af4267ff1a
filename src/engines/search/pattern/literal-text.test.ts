/** Literal words are found exactly where ripgrep finds them, also around other characters and at the edges of a text. */
import { spawnSync } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planPattern } from './index.ts';
import { findLiteral, NotAscii } from './literal-text.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'b', '_', '1', '-'), minLength: 1, maxLength: 3 });
const line = fc.string({
  unit: fc.constantFrom('a', 'b', 'ab', '_', '1', '-', ' ', '.', 'é', '–'),
  maxLength: 12,
});

describe('findLiteral', () => {
  it('finds what ripgrep finds, or leaves it to ripgrep', () => {
    const seen = { found: 0, none: 0, left: 0 };
    fc.assert(
      fc.property(
        word,
        fc.boolean(),
        fc.boolean(),
        fc.array(line, { maxLength: 40 }),
        (text, start, end, lines) => {
          const pattern = `${start ? '\\b' : ''}${text}${end ? '\\b' : ''}`;
          const { literal } = planPattern(pattern);
          if (!literal) return;
          const expected = columns(pattern, lines);
          lines.forEach((each, index) => {
            try {
              const at = findLiteral(Buffer.from(each), literal, 0);
              expect(at).toBe(expected.get(index) ?? -1);
              seen[at === -1 ? 'none' : 'found'] += 1;
            } catch (error) {
              if (!(error instanceof NotAscii)) throw error;
              seen.left += 1;
            }
          });
        },
      ),
      { numRuns: 60 },
    );
    expect(Math.min(seen.found, seen.none, seen.left)).toBeGreaterThan(5);
  });

  it('skips a match whose neighbor is in another piece of the line', () => {
    const literal = { bytes: Buffer.from('ab'), startsWord: true, endsWord: true };
    const text = Buffer.from('ab ab ab');
    expect(findLiteral(text, literal, 0, { isStart: false, isEnd: false })).toBe(3);
    expect(findLiteral(text, literal, 4, { isStart: false, isEnd: false })).toBe(-1);
    expect(findLiteral(text, literal, 4, { isStart: false, isEnd: true })).toBe(6);
  });
});

/** The offset of ripgrep's first match in each matching line. */
function columns(pattern: string, lines: string[]): Map<number, number> {
  const options = [
    '--no-config',
    '--line-number',
    '--column',
    '--text',
    '--no-filename',
    `--regexp=${pattern}`,
    '-',
  ];
  const { stdout } = spawnSync(rgPath, options, { input: lines.map((each) => `${each}\n`).join('') });
  const rows = stdout.toString().split('\n').filter(Boolean);
  return new Map(
    rows.map((row) => {
      const [number, column] = row.split(':').map(Number) as [number, number];
      return [number - 1, column - 1];
    }),
  );
}
