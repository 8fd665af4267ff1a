/** A joined glob matches exactly what one of its parts matches. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileGlob, joinGlobs } from './index.ts';

const matches = (glob: string, path: string) => {
  const compiled = compileGlob(glob);
  if (!compiled.ok) throw new Error(compiled.message);
  const bytes = Buffer.from(path);
  return compiled.glob.matches(bytes, 0, bytes.length);
};

const globs = fc
  .array(fc.constantFrom('a', 'b', '*', '**', '?', '/', '{', ',', '}', '[', ']', '!', '-', '\\', './'), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => parts.join(''))
  .filter((glob) => compileGlob(glob).ok);
const paths = fc
  .array(fc.constantFrom('a', 'b', 'ab', ',', '{', '}', '[', '!', 'a,b'), { minLength: 1, maxLength: 4 })
  .map((names) => names.join('/'));

it('matches what any of them matches', () => {
  fc.assert(
    fc.property(
      fc.array(globs, { minLength: 1, maxLength: 4 }),
      fc.array(paths, { maxLength: 20 }),
      (some, all) => {
        const joined = joinGlobs(some);
        for (const path of all) {
          expect(matches(joined, path), `${path} in ${joined}`).toBe(
            some.some((glob) => matches(glob, path)),
          );
        }
      },
    ),
    { numRuns: 300 },
  );
});

it('keeps unclosed brackets apart', () => {
  const joined = joinGlobs(['{src', 'docs/}', '[ab', '*.{ts,tsx}']);
  for (const path of ['{src', 'docs/}', 'x/[ab', 'x/y.tsx']) expect(matches(joined, path)).toBe(true);
  for (const path of ['src', 'docs/a', 'a', 'y.js']) expect(matches(joined, path)).toBe(false);
});
