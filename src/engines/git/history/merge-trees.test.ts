/** Merging many branches at once with real git: every kind of conflict, what can't be merged, and the limits. */
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, expect, it } from 'vitest';
import { type FixtureFiles, makeRepository } from '../../../../test/helpers/git/git-fixtures.ts';
import { CONFLICT_LIMITS } from './conflict-hunks.ts';
import { mergeTrees } from './merge-trees.ts';

const lines = (...texts: string[]) => texts.map((text) => `${text}\n`).join('');
const long = (word: string) =>
  lines(...Array.from({ length: 40 * 8 }, (_, index) => (index % 8 === 0 ? word : `line ${index}`)));
const repository = await makeRepository({
  'text.txt': lines('one', 'two', 'three', '=======', 'five'),
  'image.bin': Buffer.from([0, 1, 2]),
  'deleted here.txt': 'a\n',
  'deleted there.txt': 'b\n',
  'old name.txt': long('x'),
  'long.txt': long('before'),
  module: { submodule: '1'.repeat(40) },
  '.gitattributes': 'text.txt merge=union\n',
});
afterAll(() => repository.remove());
const gitDir = repository.folder;
const root = await repository.git('rev-parse', 'main');
const branch = (name: string, files: FixtureFiles) => repository.commit(files, { branch: name, from: root });

const base = await branch('base', {
  'text.txt': lines('one', 'TWO on base', 'three', '=======', 'five'),
  'image.bin': Buffer.from([0, 1, 3]),
  'deleted here.txt': null,
  'deleted there.txt': 'changed\n',
  'old name.txt': null,
  'base name.txt': long('x'),
  'both.txt': 'base\n',
  'long.txt': long('base'),
  module: { submodule: '2'.repeat(40) },
  'caf\u00e9.txt': 'base\n',
});

it('says of each branch whether it merges, and describes what conflicts', async () => {
  const clean = await branch('clean', { 'new.txt': 'new\n' });
  const conflicting = await branch('conflicting', {
    'text.txt': lines('one', 'TWO on head', 'and more', 'three', '=======', 'five'),
    'image.bin': Buffer.from([0, 1, 4]),
    'deleted here.txt': 'changed\n',
    'deleted there.txt': null,
    'old name.txt': null,
    'head name.txt': long('x'),
    'both.txt': 'head\n',
    module: { submodule: '3'.repeat(40) },
    'caf\u00e9.txt': 'head\n',
  });
  const unrelated = await repository.git('commit-tree', '-m', 'unrelated', `${root}^{tree}`);
  const before = await readdir(`${gitDir}/objects`);
  const heads = [clean, conflicting, unrelated, base, clean];
  const results = await mergeTrees({ gitDir, base, heads });
  expect(results.map(({ kind }) => kind)).toEqual(['clean', 'conflicts', 'failed', 'clean', 'clean']);
  const found = results[1]!;
  if (found.kind !== 'conflicts') throw new Error('It has to conflict.');
  expect(found.total).toBe(found.files.length);
  expect(Object.fromEntries(found.files.map(({ kind, path }) => [path, kind]))).toEqual({
    'text.txt': 'content',
    'image.bin': 'binary',
    'deleted here.txt': 'deleted_in_base',
    'deleted there.txt': 'deleted_in_head',
    'old name.txt': 'renamed',
    'base name.txt': 'renamed',
    'head name.txt': 'renamed',
    'both.txt': 'added_on_both',
    module: 'submodule',
    'caf\u00e9.txt': 'added_on_both',
  });
  const fileOf = (path: string) => found.files.find((file) => file.path === path);
  expect(fileOf('text.txt')).toEqual({
    path: 'text.txt',
    kind: 'content',
    // A merge driver that the repository asks for is not used.
    hunks: [{ context: ['one'], base: ['TWO on base'], head: ['TWO on head', 'and more'] }],
    truncated: false,
  });
  expect(fileOf('caf\u00e9.txt')?.hunks).toEqual([{ context: [], base: ['base'], head: ['head'] }]);
  expect(fileOf('image.bin')).toMatchObject({ hunks: [], truncated: false });
  // Neither the repository nor the folder for temporary files keeps anything of it.
  expect(await readdir(`${gitDir}/objects`)).toEqual(before);
  const left = (await readdir(tmpdir())).filter((name) =>
    name.startsWith(`countersign-merge-${process.pid}-`),
  );
  expect(left).toEqual([]);
});

it('counts a folder that was split as a conflict, though git leaves no file in conflict', async () => {
  const folder = (one: string, other: string): FixtureFiles => ({
    ...{
      [`${one}/a`]: long('a'),
      [`${one}/b`]: long('b'),
      [`${other}/c`]: long('c'),
      [`${other}/d`]: long('d'),
    },
  });
  const before = await branch('folder', folder('all', 'all'));
  const gone = { 'all/a': null, 'all/b': null, 'all/c': null, 'all/d': null };
  const head = await repository.commit(
    { ...gone, ...folder('one', 'two') },
    { branch: 'split', from: before },
  );
  const added = await repository.commit({ 'all/new': 'x\n' }, { branch: 'added', from: before });
  expect(await mergeTrees({ gitDir, base: added, heads: [head, added] })).toEqual([
    { kind: 'conflicts', total: 1, files: [{ path: 'all', kind: 'renamed', hunks: [], truncated: false }] },
    { kind: 'clean' },
  ]);
});

it('shows a limited number of files, hunks and lines', async () => {
  const many = (text: string): FixtureFiles =>
    Object.fromEntries(
      Array.from({ length: CONFLICT_LIMITS.files + 5 }, (_, index) => [
        `many/${index + 100}.txt`,
        `${text}\n`,
      ]),
    );
  const onBase = await repository.commit({ ...many('base') }, { branch: 'many-base', from: base });
  const head = await branch('many-head', { ...many('h'.repeat(1000)), 'long.txt': long('head') });
  const [result] = await mergeTrees({ gitDir, base: onBase, heads: [head] });
  if (result?.kind !== 'conflicts') throw new Error('It has to conflict.');
  expect(result.total).toBe(CONFLICT_LIMITS.files + 6);
  expect(result.files).toHaveLength(CONFLICT_LIMITS.files);
  const [long1, first] = result.files;
  expect([long1?.path, long1?.hunks.length, long1?.truncated]).toEqual([
    'long.txt',
    CONFLICT_LIMITS.hunksPerFile,
    true,
  ]);
  expect(first?.hunks[0]?.head[0]).toHaveLength(CONFLICT_LIMITS.lineCharacters);
  expect(first?.truncated).toBe(true);
});
