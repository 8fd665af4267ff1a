/** Every path of a repository has a unique text, which is parsed to the same path. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPath, showPath, showPathOnLine } from './path-text.ts';

/** Any bytes, and names made of the signs that quoting is about. */
const paths = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  fc
    .array(fc.constantFrom('"', '\\', '3', '5', '1', 'n', 'a', 'é', '\n', '\u2028', '\xff'), {
      maxLength: 12,
    })
    .map((signs) =>
      Buffer.concat(signs.map((sign) => Buffer.from(sign, sign === '\xff' ? 'latin1' : 'utf8'))),
    ),
);
/** Names that look as if they had been quoted, once or several times over. */
const quotedPaths = fc.tuple(paths, fc.nat(3)).map(([path, times]) => {
  let name = path;
  for (let time = 0; time < times; time += 1) {
    name = Buffer.from(`"${name.toString('latin1').replaceAll(/[^a-z0-9]/g, octal)}"`);
  }
  return name;
});

describe('the text of a path', () => {
  it('is parsed to the same bytes, whatever they are', () => {
    fc.assert(
      fc.property(fc.oneof(paths, quotedPaths), (path) => {
        expect(readPath(showPath(path))).toEqual(path);
      }),
      { numRuns: 3000 },
    );
  });

  it('is one line for every path, and is parsed to the same bytes', () => {
    fc.assert(
      fc.property(fc.oneof(paths, quotedPaths), (path) => {
        const line = showPathOnLine(showPath(path));
        expect(line).not.toMatch(/[\n\r\u2028\u2029]/);
        expect(readPath(line)).toEqual(path);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['src/größe.ts', Buffer.from('src/größe.ts')],
    ['"quoted"', Buffer.from('"quoted"')],
    ['"a\\tb"', Buffer.from('a\tb')],
    ['"caf\\351"', Buffer.from('caf\xe9', 'latin1')],
    ['"caf\\x"', Buffer.from('"caf\\x"')],
    ['"', Buffer.from('"')],
    ['""', Buffer.from('""')],
  ])('%s is parsed correctly', (text, path) => {
    expect(readPath(text)).toEqual(path);
  });
});

function octal(sign: string): string {
  return `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`;
}
