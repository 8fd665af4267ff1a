/** The query of a pattern is true wherever ripgrep finds a match: checked with ripgrep on generated patterns and texts. */
import { spawnSync } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytes, type Piece, patternPiece, soup } from '../../../../test/exactness/pattern-pieces.ts';
import { planPattern, type TrigramQuery } from './index.ts';

const noise = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'k', 's', 'K', '-', ']', ' ', '1', 'é', 'ſ'),
  maxLength: 8,
});
const seeds = fc.array(fc.nat(), { minLength: 8, maxLength: 8 });

describe('the query of a pattern', () => {
  it.each([
    ['generated from the grammar', patternPiece, 70, 0.8],
    ['thrown together', soup, 120, 0.1],
  ] as const)(
    'is true for each line in which ripgrep finds a pattern that was %s',
    (_, patterns, numRuns, share) => {
      const seen = { accepted: 0, matched: 0, dropped: 0 };
      fc.assert(
        fc.property(
          patterns,
          fc.array(noise, { minLength: 3, maxLength: 3 }),
          seeds,
          (made, noises, random) => {
            const lines = linesFor(made, noises.map(bytes), random);
            const found = search(made.source, lines);
            if (!found) return;
            seen.accepted += 1;
            const { query, literal, words } = planPattern(made.source);
            for (const [index, line] of lines.entries()) {
              const trigrams = trigramsOf(line);
              const isCandidate = [query, ...words].every((each) => holds(each, trigrams));
              if (found.has(index)) {
                seen.matched += 1;
                expect({ line, isCandidate }).toEqual({ line, isCandidate: true });
              } else if (!isCandidate) {
                seen.dropped += 1;
              }
              if (literal && !literal.startsWord && !literal.endsWord)
                expect(line.includes(literal.bytes.toString('latin1'))).toBe(found.has(index));
            }
          },
        ),
        { numRuns },
      );
      // Patterns that are rejected or never match, and queries that exclude nothing, would prove nothing.
      expect(seen.accepted).toBeGreaterThan(numRuns * share);
      expect(seen.matched).toBeGreaterThan(numRuns);
      expect(seen.dropped).toBeGreaterThan(numRuns / 2);
    },
  );

  it('knows every character that matches an ASCII letter under (?i)', () => {
    const points = Array.from({ length: 0x11_0000 }, (_, codePoint) => codePoint).filter(
      (codePoint) => codePoint !== 0x0a && (codePoint < 0xd800 || codePoint > 0xdfff),
    );
    const lines = points.map((codePoint) => bytes(`x${String.fromCodePoint(codePoint)}x`));
    for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
      const pattern = `(?i)x${letter}x`;
      const { query } = planPattern(pattern);
      const found = [...search(pattern, lines)!];
      expect(found.length).toBeGreaterThan(1);
      expect(found.filter((index) => !holds(query, trigramsOf(lines[index]!)))).toEqual([]);
    }
  });
});

/** The samples unchanged, with other letter case, corrupted, and surrounded by noise. */
function linesFor({ samples }: Piece, noises: string[], random: number[]): string[] {
  const own = samples.slice(0, 6);
  const changed = own.flatMap((sample, index) => {
    const text = Buffer.from(sample, 'latin1').toString();
    const at = random[index % random.length]! % (sample.length + 1);
    return [
      bytes(text.toUpperCase()),
      bytes(text.toLowerCase()),
      bytes(text.replaceAll('k', '\u212a').replaceAll('s', '\u017f')),
      bytes(text.replaceAll('σ', 'ς').replaceAll('ß', 'ẞ')),
      sample.slice(0, at) + sample.slice(at + 1),
      sample.slice(0, at) + noises[0] + sample.slice(at),
      sample.replaceAll(' ', ''),
      noises[1] + sample + noises[2],
    ];
  });
  return [...own, ...changed, ...noises].map((line) => line.replaceAll('\n', ' '));
}

/** The numbers of the lines in which ripgrep finds the pattern; undefined when it rejects the pattern. */
function search(pattern: string, lines: string[]): Set<number> | undefined {
  const settings = [
    '--no-config',
    '--text',
    '--encoding=none',
    '--line-number',
    '--color=never',
    '--max-columns=1',
  ];
  const { status, stdout } = spawnSync(rgPath, [...settings, '-e', pattern, '-'], {
    input: Buffer.from(`${lines.join('\n')}\n`, 'latin1'),
    encoding: 'latin1',
    maxBuffer: 2 ** 28,
  });
  if (status === 2) return undefined;
  return new Set(stdout.split('\n').flatMap((line) => (line === '' ? [] : [Number.parseInt(line, 10) - 1])));
}

function trigramsOf(line: string): Set<number> {
  const folded = Buffer.from(
    line.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
    'latin1',
  );
  return new Set(
    Array.from({ length: Math.max(0, folded.length - 2) }, (_, index) => folded.readUIntBE(index, 3)),
  );
}

function holds(query: TrigramQuery, trigrams: Set<number>): boolean {
  if (query.kind === 'trigram') return trigrams.has(query.value);
  if (query.kind === 'and') return query.parts.every((part) => holds(part, trigrams));
  if (query.kind === 'or') return query.parts.some((part) => holds(part, trigrams));
  return query.kind === 'all';
}
