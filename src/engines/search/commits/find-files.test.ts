/** A glob finds the same files folder by folder as path by path. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { showPath } from '../../../platform/core/text/path-text.ts';
import { compileGlob } from '../glob/index.ts';
import { type CommitFiles, pathOf } from './commit-files.ts';
import { findFiles } from './find-files.ts';
import { layOutFiles } from './lay-out-files.ts';
import { matchInFolders } from './match-in-folders.ts';
import type { RepositoryReader } from './repository-reader.ts';

const names = fc.constantFrom('a', 'b', 'ab', 'a.b', '"a"', 'é', 'x\n', '\xff', '\xc3');
const paths = fc.array(fc.array(names, { minLength: 1, maxLength: 4 }), { maxLength: 30 });
const globs = fc
  .array(fc.constantFrom('a', 'b', '*', '**', '?', '*b', '[!a]', '{a,b}', 'é', 'a*', '{a,**/b}', ''), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join('/'));

describe('file search', () => {
  it('finds the files that match one by one', async () => {
    let matched = 0;
    await fc.assert(
      fc.asyncProperty(paths, globs, fc.nat(6), async (some, glob, most) => {
        const files = filesAt(some.map((parts) => parts.map((name) => Buffer.from(name, 'latin1'))));
        const compiled = compileGlob(glob);
        if (!compiled.ok) return;
        const expected = allOf(files).filter((path) => compiled.glob.matches(path, 0, path.length));
        matched += expected.length;
        expect(await findFiles(readerOf(files), { commit: '', glob, limit: most })).toEqual({
          items: expected.slice(0, most).map(showPath),
          total: expected.length,
        });
      }),
      { numRuns: 2000 },
    );
    expect(matched).toBeGreaterThan(500);
  });

  it('finds the same when the glob has more states than the table holds', async () => {
    const rare = Array.from({ length: 400 }, (_, index) => String.fromCodePoint(0x4e00 + 2 * index)).join('');
    const glob = `x/{${rare},*a${'?'.repeat(10)}}`;
    const texts = Array.from({ length: 3000 }, (_, number) =>
      createHash('sha256')
        .update(String(number))
        .digest('hex')
        .replaceAll(/[0-7]/g, 'a')
        .replaceAll(/[8-9b-f]/g, 'b'),
    );
    const files = filesAt(texts.map((name) => [Buffer.from('x'), Buffer.from(name)]));
    const compiled = compileGlob(glob);
    expect(compiled.ok && matchInFolders(files, compiled.glob.inFolders!)).toBe(undefined);
    const expected = allOf(files).filter((path) => path.at(-11) === 0x61);
    const found = await findFiles(readerOf(files), { commit: '', glob, limit: 0 });
    expect(found).toEqual({ items: [], total: expected.length });
  });
});

function readerOf(files: CommitFiles): RepositoryReader {
  return { filesOf: async () => files } as unknown as RepositoryReader;
}

function allOf(files: CommitFiles): Buffer[] {
  return Array.from({ length: files.count }, (_, file) => pathOf(files, file));
}

interface Folder extends Map<string, Folder | null> {}

/** A path that is both a file and a folder counts as a folder. */
function filesAt(some: Buffer[][]): CommitFiles {
  const root: Folder = new Map();
  for (const parts of some) {
    let folder = root;
    for (const [index, part] of parts.entries()) {
      const name = part.toString('latin1');
      if (index === parts.length - 1) {
        if (!folder.has(name)) folder.set(name, null);
        break;
      }
      const inner: Folder = folder.get(name) ?? new Map();
      folder.set(name, inner);
      folder = inner;
    }
  }
  const trees = new Map<string, Buffer>();
  const write = (folder: Folder): Buffer => {
    const entries = [...folder].map(([name, inner]) => ({ name, inner, key: inner ? `${name}/` : name }));
    entries.sort((one, other) => (one.key < other.key ? -1 : 1));
    const content = Buffer.concat(
      entries.flatMap(({ inner, name }) => [
        Buffer.from(`${inner ? '40000' : '100644'} ${name}\0`, 'latin1'),
        inner ? write(inner) : Buffer.alloc(20),
      ]),
    );
    const id = createHash('sha1').update(content).digest();
    trees.set(id.toString('hex'), content);
    return id;
  };
  return layOutFiles({ rootId: write(root).toString('hex'), trees, like: undefined });
}
