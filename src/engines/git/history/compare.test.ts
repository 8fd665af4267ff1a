/** Comparing commits with real git: odd names and contents, large files and lists, and how commits are related. */
import { afterAll, describe, expect, it } from 'vitest';
import { type FixtureFiles, makeRepository, oddFiles } from '../../../../test/helpers/git/git-fixtures.ts';
import { showPath } from '../../../platform/core/text/path-text.ts';
import { isSameChange } from '../write/same-change.ts';
import { diffBlobs, wholeFile } from './diff-blobs.ts';
import { findMergeBase, isAncestor, listCommits } from './history.ts';
import { listChanges } from './list-changes.ts';
import { findMerge } from './patch-ids.ts';
import { readHunks } from './read-hunks.ts';
import { renameOptions } from './rename-options.ts';

const MEBIBYTE = 1024 * 1024;
const LIMITS = { maxLines: 50_000, maxBytes: 4 * MEBIBYTE };
const lines = (...texts: string[]) => texts.map((text) => `${text}\n`).join('');
const numbered = (count: number, name = 'line') =>
  Array.from({ length: count }, (_, index) => `${name} ${index + 1}\n`).join('');

const repository = await makeRepository({ 'start.txt': 'start\n' });
afterAll(() => repository.remove());
const gitDir = repository.folder;
const root = await repository.git('rev-parse', 'main');

/** Two commits of these files, on branches of their own. */
async function change(before: FixtureFiles, after: FixtureFiles) {
  const from = await repository.commit(before, { branch: 'before', from: root });
  const to = await repository.commit(after, { branch: 'after', from });
  return { gitDir, from, to };
}
const blobOf = (commit: string, path: string) => repository.git('rev-parse', `${commit}:${path}`);

describe('the list of changed files', () => {
  it('has every kind of change', async () => {
    const pair = await change(
      {
        'modified.txt': lines('a', 'b', 'c'),
        'deleted.txt': 'gone\n',
        'old name.txt': numbered(20),
        'mode.sh': 'echo\n',
        typed: 'file\n',
        link: { symlink: 'a' },
        module: { submodule: '1'.repeat(40) },
        'image.bin': Buffer.from([0, 1, 2]),
      },
      {
        'modified.txt': lines('a', 'x', 'y', 'c'),
        'deleted.txt': null,
        'old name.txt': null,
        'new/name.txt': `${numbered(20)}more\n`,
        'mode.sh': { executable: 'echo\n' },
        typed: { symlink: 'elsewhere' },
        link: { symlink: 'b' },
        module: { submodule: '2'.repeat(40) },
        'image.bin': Buffer.from([0, 1, 3]),
        'empty.txt': '',
      },
    );
    const { files, ...totals } = await listChanges({ ...pair, limit: 100, counts: true });
    const short = files.map(({ added, change, deleted, kind, oldPath, path }) =>
      [path, oldPath, change, kind, added, deleted].join(' '),
    );
    expect(short).toEqual([
      'deleted.txt  deleted text 0 1',
      'empty.txt  added text 0 0',
      'image.bin  modified binary  ',
      'link  modified symlink 1 1',
      'mode.sh  modified text 0 0',
      'modified.txt  modified text 2 1',
      'module  modified submodule 1 1',
      'new/name.txt old name.txt renamed text 1 0',
      'typed  type_changed symlink 1 1',
    ]);
    expect(totals).toEqual({ total: 9, added: 6, deleted: 5 });
    const mode = files.find(({ path }) => path === 'mode.sh')!;
    expect([mode.oldMode, mode.newMode, mode.oldBlob]).toEqual(['100644', '100755', mode.newBlob]);
    expect(files[0]).toMatchObject({ newBlob: null, newMode: null });
  });

  it('keeps odd names, and lists them in byte order', async () => {
    const pair = await change({}, oddFiles());
    const { files } = await listChanges({ ...pair, limit: 100, counts: true });
    const names = oddFiles().map(([path]) => Buffer.from(path));
    expect(files.map(({ path }) => path)).toEqual(names.sort(Buffer.compare).map(showPath));
    expect(files.every(({ added, kind }) => added !== null || kind === 'binary')).toBe(true);
  });

  it('lists at most the limit and counts all', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`many/${index}`, `${index}\n`]),
    );
    const pair = await change({}, many);
    const list = await listChanges({ ...pair, limit: 3, counts: true });
    expect({ ...list, files: list.files.map(({ path }) => path) }).toEqual({
      files: ['many/0', 'many/1', 'many/10'],
      total: 5000,
      added: 5000,
      deleted: 0,
    });
  });

  it('says which files are too large to compare', async () => {
    const pair = await change(
      { 'large.txt': Buffer.alloc(17 * MEBIBYTE, 'text\n') },
      { 'large.txt': Buffer.alloc(18 * MEBIBYTE, 'text\n') },
    );
    const { files } = await listChanges({ ...pair, limit: 10, counts: true });
    expect(files).toMatchObject([{ path: 'large.txt', kind: 'too_large', added: null }]);
  });
});

describe('renames', () => {
  const large = (first: string) => Buffer.concat([Buffer.from(first), Buffer.alloc(17 * MEBIBYTE, 'line\n')]);

  it('of large files count only if they are identical, because git would read both', async () => {
    const small = { 'a.txt': numbered(9), 'b.txt': large('b') };
    const edited = await change(small, { 'a.txt': null, 'c.txt': `${numbered(9)}x\n` });
    expect(await renameOptions(edited)).toContain('-M50%');
    expect((await listChanges({ ...edited, limit: 9, counts: false })).files).toMatchObject([
      { change: 'renamed' },
    ]);
    const moved = await change(small, { 'b.txt': null, 'c.txt': large('b') });
    expect(await renameOptions(moved)).toEqual(['-M100%']);
    expect((await listChanges({ ...moved, limit: 9, counts: false })).files).toMatchObject([
      { change: 'renamed' },
    ]);
    const both = await change(small, { 'b.txt': null, 'c.txt': large('c') });
    const { files } = await listChanges({ ...both, limit: 9, counts: false });
    expect(files.map(({ change }) => change)).toEqual(['deleted', 'added']);
    const oneSide = await change(small, { 'a.txt': null, 'c.txt': large('c') });
    expect(await renameOptions(oneSide)).toContain('-M50%');
  });
});

describe('the difference of two contents', () => {
  const diff = async (before: string, after: string, options: { context?: number; w?: boolean } = {}) => {
    const pair = await change({ 'file.txt': before }, { 'file.txt': after });
    const { hunks } = await diffBlobs({
      gitDir,
      from: await blobOf(pair.from, 'file.txt'),
      to: await blobOf(pair.to, 'file.txt'),
      context: options.context ?? 3,
      ignoreWhitespace: options.w ?? false,
      limits: LIMITS,
    });
    return hunks;
  };

  it('has hunks with context and headings', async () => {
    const before = `function one() {\n${numbered(10, '  line')}}\n`;
    expect(await diff(before, before.replace('line 8', 'changed'), { context: 1 })).toEqual([
      {
        oldStart: 8,
        oldLines: 3,
        newStart: 8,
        newLines: 3,
        heading: 'function one() {',
        lines: ['   line 7', '-  line 8', '+  changed', '   line 9'],
      },
    ]);
  });

  it('takes content that looks like a patch for content', async () => {
    const before = lines('-- a/x', '@@ -1 +1 @@', 'diff --git a/x b/x', '++ b/x', '\\ No newline', 'end');
    const [hunk] = await diff(before, lines('-- a/y', '<<<<<<< HEAD', '=======', '>>>>>>> other'));
    expect(hunk!.lines).toEqual([
      ...['--- a/x', '-@@ -1 +1 @@', '-diff --git a/x b/x', '-++ b/x', '-\\ No newline', '-end'],
      ...['+-- a/y', '+<<<<<<< HEAD', '+=======', '+>>>>>>> other'],
    ]);
  });

  it('keeps carriage returns, and marks a missing newline', async () => {
    const [hunk] = await diff('one\r\ntwo', 'one\ntwo\n');
    expect(hunk!.lines).toEqual(['-one\r', '-two', '\\ No newline at end of file', '+one', '+two']);
  });

  it('ignores white space on request', async () => {
    expect(await diff('if (a) {\n  b\n}\n', 'if (a)  {\n\tb\n}\n', { w: true })).toEqual([]);
  });

  it('cuts what is too long, and says so', async () => {
    const pair = await change({ 'file.txt': 'a\n' }, { 'file.txt': numbered(200) });
    const blobs = { from: await blobOf(pair.from, 'file.txt'), to: await blobOf(pair.to, 'file.txt') };
    const options = { gitDir, ...blobs, context: 3, ignoreWhitespace: false };
    const cut = await diffBlobs({ ...options, limits: { maxLines: 11, maxBytes: MEBIBYTE } });
    expect(cut.truncated).toBe(true);
    expect(cut.hunks).toMatchObject([{ oldLines: 1, newLines: 10 }]);
    const short = await diffBlobs({ ...options, limits: { maxLines: 1000, maxBytes: 20 } });
    expect(short.truncated).toBe(true);
    expect(short.hunks[0]!.lines).toEqual(['-a', '+line 1', '+line 2']);
    const whole = wholeFile(Buffer.from(numbered(200)), '+', { maxLines: 5, maxBytes: MEBIBYTE });
    expect(whole).toMatchObject({ truncated: true, hunks: [{ oldLines: 0, newStart: 1, newLines: 5 }] });
  });

  it('survives a line of 15 MB', async () => {
    const pair = await change(
      { 'file.txt': Buffer.alloc(15 * MEBIBYTE, 'a') },
      { 'file.txt': Buffer.alloc(15 * MEBIBYTE, 'b') },
    );
    const blobs = { from: await blobOf(pair.from, 'file.txt'), to: await blobOf(pair.to, 'file.txt') };
    const cut = await diffBlobs({ gitDir, ...blobs, context: 3, ignoreWhitespace: false, limits: LIMITS });
    expect(cut).toEqual({ hunks: [], truncated: true });
  });
});

describe('the changed lines of many files', () => {
  it('are found under any name, with renames', async () => {
    const names = oddFiles().filter(([, file]) => typeof file === 'string' && file.endsWith('\n'));
    const before: [string | Buffer, string][] = names.map(([path], index) => [
      path,
      numbered(9, `file ${index}`),
    ]);
    const pair = await change(
      [...before, ['old.txt', numbered(30)], ['deleted.txt', 'x\n'], ['empty', '']],
      [
        ...before.map(([path, text]): [string | Buffer, string] => [
          path,
          text.replace(/.* 5\n/, 'new\nlines\n'),
        ]),
        ['old.txt', null],
        ['dir/"new".txt', numbered(30).replace('line 3\n', '')],
        ['deleted.txt', null],
        ['empty', null],
      ],
    );
    const paths = [...before.map(([path]) => showPath(Buffer.from(path))), 'old.txt', 'deleted.txt'];
    const files = await readHunks({ ...pair, paths });
    expect(files.map(({ oldPath }) => oldPath).sort()).toEqual([...paths, 'empty'].sort());
    for (const [index, [path]] of before.entries()) {
      const file = files.find((each) => each.oldPath === showPath(Buffer.from(path)))!;
      expect(file).toEqual({
        oldPath: file.oldPath,
        path: file.oldPath,
        isBinary: false,
        truncated: false,
        hunks: [
          {
            oldStart: 5,
            oldLines: 1,
            newStart: 5,
            newLines: 2,
            removed: [`file ${index} 5`],
            added: ['new', 'lines'],
          },
        ],
      });
    }
    expect(files.find(({ oldPath }) => oldPath === 'old.txt')).toMatchObject({
      path: 'dir/"new".txt',
      hunks: [{ oldStart: 3, oldLines: 1, newStart: 2, newLines: 0, removed: ['line 3'], added: [] }],
    });
    expect(files.find(({ oldPath }) => oldPath === 'deleted.txt')).toMatchObject({ path: null });
    const latin1 = paths.find((path) => path.includes('latin1'))!;
    const some = await readHunks({ ...pair, paths: [latin1], onlyPaths: [latin1] });
    expect(some.map(({ path }) => path)).toEqual([latin1]);
  });

  it('of files that were not asked for are only those that were added', async () => {
    const pair = await change(
      { a: numbered(5), b: numbered(5, 'other') },
      { a: lines('line 1'), b: `new\n${numbered(4, 'other')}` },
    );
    const files = await readHunks({ ...pair, paths: ['a'] });
    expect(files.map(({ hunks, path }) => [path, hunks.length])).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
  });
});

describe('how commits are related', () => {
  it('finds the merge base and who contains whom', async () => {
    const base = await repository.commit({ a: '1\n' }, { branch: 'main', from: root });
    const feature = await repository.commit({ b: '2\n' }, { branch: 'feature', from: base });
    const main = await repository.commit({ c: '3\n' }, { branch: 'main' });
    const alone = await repository.commit({ d: '4\n' }, { branch: 'alone', from: null });
    expect(await findMergeBase({ gitDir, from: main, to: feature })).toBe(base);
    expect(await findMergeBase({ gitDir, from: main, to: alone })).toBeNull();
    expect(await isAncestor({ gitDir, from: base, to: main })).toBe(true);
    expect(await isAncestor({ gitDir, from: main, to: main })).toBe(true);
    expect(await isAncestor({ gitDir, from: feature, to: main })).toBe(false);
    await expect(findMergeBase({ gitDir, from: main, to: 'f'.repeat(40) })).rejects.toThrow('merge-base');
  });

  it('lists commits with their whole message, newest first', async () => {
    const from = await repository.commit({ a: '1\n' }, { branch: 'log', from: root });
    const first = await repository.commit(
      { a: '2\n' },
      { branch: 'log', message: 'Subject: ü "quoted"\n\nBody\n\ndiff --git a/x b/x\n\x01\x1f odd' },
    );
    const second = await repository.commit({ a: '3\n' }, { branch: 'log', message: '' });
    const range = { gitDir, from, to: second };
    expect(await listCommits({ ...range, limit: 10 })).toEqual({
      total: 2,
      commits: [
        expect.objectContaining({ commit: second, parents: [first], subject: '', body: '' }),
        {
          commit: first,
          parents: [from],
          authorName: 'Fixture',
          authoredAt: expect.any(Number),
          subject: 'Subject: ü "quoted"',
          body: 'Body\n\ndiff --git a/x b/x\n\x01\x1f odd',
        },
      ],
    });
    expect(await listCommits({ ...range, limit: 1 })).toMatchObject({
      total: 2,
      commits: [{ commit: second }],
    });
    expect(await listCommits({ gitDir, from: second, to: from, limit: 1 })).toEqual({
      total: 0,
      commits: [],
    });
  });
});

describe('a change that was merged', async () => {
  const base = await repository.commit({ file: numbered(30), other: 'x\n' }, { branch: 'base', from: root });
  const one = { file: numbered(30).replace('line 3\n', 'three\n') };
  const two = { file: numbered(30).replace('line 3\n', 'three\n').replace('line 25\n', 'twenty five\n') };
  await repository.commit(one, { branch: 'head', from: base });
  const head = await repository.commit(two, { branch: 'head' });
  const merged = async (commits: FixtureFiles[]) => {
    let tip = await repository.commit({ other: 'y\n', unrelated: 'z\n' }, { branch: 'merged', from: base });
    for (const files of commits) tip = await repository.commit(files, { branch: 'merged' });
    return { tip, merge: await findMerge({ gitDir, base: tip, head }) };
  };

  it('is recognized as one commit or as the same commits, and not by a part of it', async () => {
    const squashed = await merged([two]);
    expect(squashed.merge).toEqual({ how: 'squashed', commit: squashed.tip });
    expect((await merged([one, two])).merge).toEqual({ how: 'rebased' });
    expect((await merged([one])).merge).toBeNull();
    expect((await merged([])).merge).toBeNull();
    expect(await findMerge({ gitDir, base: head, head })).toEqual({ how: 'contained' });
  });

  it('is the same on another base, as one commit or several, unless it is empty', async () => {
    const shift = (file: string) => ({
      file: file.replace('line 12\n', 'line 12\nanother\n'),
      unrelated: 'z\n',
    });
    const toBase = await repository.commit(shift(numbered(30)), { branch: 'shifted', from: base });
    const to = await repository.commit(shift(two.file), { branch: 'shifted' });
    const same = (changes: { to: string; toBase: string }) =>
      isSameChange({ gitDir, from: head, fromBase: base, ...changes });
    expect(await same({ to, toBase })).toBe(true);
    const squashed = await repository.commit(two, { branch: 'squashed', from: base });
    expect(await same({ to: squashed, toBase: base })).toBe(true);
    expect(await same({ to: `${head}~1`, toBase: base })).toBe(false);
    const more = await repository.commit({ other: 'more\n' }, { branch: 'shifted' });
    expect(await same({ to: more, toBase })).toBe(false);
    expect(await same({ to: more, toBase: root }), 'it conflicts').toBe(false);
    expect(await isSameChange({ gitDir, from: base, fromBase: base, to: toBase, toBase })).toBe(false);
  });

  it('is another one if only its place, white space, a binary file or what follows a NUL differs', async () => {
    const section = lines('  allow:', '    - a', '    - b', '    - c', '    - d', '    - e');
    const wider = section.replace('    - b\n', '    - b\n    - everyone\n');
    const long = '# comment\n'.repeat(1000);
    const fromBase = await repository.commit(
      { 'access.yml': `staging:\n${section}production:\n${section}`, 'run.sh': `${long}a\nb\n` },
      { branch: 'variant', from: root },
    );
    const variants: [FixtureFiles, FixtureFiles][] = [
      [
        { 'access.yml': `staging:\n${wider}production:\n${section}` },
        { 'access.yml': `staging:\n${section}production:\n${wider}` },
      ],
      [{ 'a.py': 'if a:\n    b()\n' }, { 'a.py': 'if a:\n  b()\n' }],
      [{ 'a.bin': 'one\0' }, { 'a.bin': 'two\0' }],
      [{ 'run.sh': `${long}a\ntrue\0 # harmless\nb\n` }, { 'run.sh': `${long}a\ntrue\0; rm -rf .\nb\n` }],
    ];
    for (const [before, after] of variants) {
      const from = await repository.commit(before, { branch: 'variant', from: fromBase });
      const to = await repository.commit(after, { branch: 'variant', from: fromBase });
      const isSame = await isSameChange({ gitDir, from, fromBase, to, toBase: fromBase });
      expect(isSame, Object.keys(before).join()).toBe(false);
    }
  });
});
