/** The files of a commit are those that git lists; folders are found, and malicious trees are rejected. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeRepository, oddFiles, runFixtureGit } from '../../../../test/helpers/git/git-fixtures.ts';
import { type CommitFiles, findRange, idOf, MissingObject, pathOf, TooManyFiles } from './commit-files.ts';
import { openObjectBatches } from './object-batches.ts';
import { readCommitFiles } from './read-commit.ts';

describe('the files of a commit', () => {
  it.each(['sha1', 'sha256'] as const)(
    'are those that git lists, in its order, with %s',
    async (objectFormat) => {
      const repository = await makeRepository(
        [...oddFiles(objectFormat), ['a.b', '1'], ['a/b', '2'], ['a-b', '3'], ['a0', '4']],
        { objectFormat },
      );
      onTestFinished(() => repository.remove());
      const files = await readFiles(repository.folder, await repository.git('rev-parse', 'main^{tree}'));
      const listed = (await runFixtureGit(repository.folder, ['ls-tree', '-r', '-z', 'main'])).toString(
        'latin1',
      );
      const expected = listed
        .split('\0')
        .filter((line) => line.includes(' blob '))
        .map((line) => [
          line.split(/[ \t]/)[2],
          line.slice(line.indexOf('\t') + 1),
          line.startsWith('120000'),
        ]);
      const found = Array.from({ length: files.count }, (_, index) => [
        idOf(files, index),
        pathOf(files, index).toString('latin1'),
        files.isLink[index] === 1,
      ]);
      expect(found).toEqual(expected);
    },
  );

  it('are the same when copied from another commit where possible', async () => {
    const repository = await makeRepository();
    onTestFinished(() => repository.remove());
    const objects = openObjectBatches(repository.folder);
    onTestFinished(() => objects.close());
    const names = fc.constantFrom('a', 'b', 'c.d');
    // Few names and contents, so that the same tree occurs in many places.
    const { tree } = fc.letrec<{ tree: Record<string, unknown>; entry: unknown }>((tie) => ({
      tree: fc.dictionary(names, tie('entry'), { minKeys: 1, maxKeys: 3 }),
      entry: fc.oneof({ maxDepth: 3 }, fc.constantFrom('1', '2', null), tie('tree')),
    }));
    const blobs = {
      1: await writeObject(repository.folder, 'blob', Buffer.from('1')),
      2: await writeObject(repository.folder, 'blob', Buffer.from('2')),
    };
    const written = async (entries: Record<string, unknown>): Promise<string> => {
      const list: [mode: string, name: string, id: string][] = [];
      for (const [name, entry] of Object.entries(entries)) {
        if (entry === null) list.push(['120000', name, blobs[1]]);
        else if (typeof entry === 'string') list.push(['100644', name, blobs[entry as '1']]);
        else list.push(['40000', name, await written(entry as Record<string, unknown>)]);
      }
      const key = ([mode, name]: [string, string, string]) => (mode === '40000' ? `${name}/` : name);
      return writeTree(
        repository.folder,
        list.sort((one, other) => (key(one) < key(other) ? -1 : 1)),
      );
    };
    await fc.assert(
      fc.asyncProperty(fc.array(tree, { minLength: 2, maxLength: 3 }), async (trees) => {
        let like: CommitFiles | undefined;
        for (const each of trees) {
          const root = await written(each);
          const plain = await readCommitFiles(objects, root);
          like = await readCommitFiles(objects, root, like);
          expect(like).toEqual(plain);
        }
      }),
      { numRuns: 20 },
    );
  });

  it.each(['sha1', 'sha256'] as const)(
    'are the same when based on any other commit, with %s',
    async (objectFormat) => {
      const repository = await makeRepository(oddFiles(objectFormat), { objectFormat });
      onTestFinished(() => repository.remove());
      const objects = openObjectBatches(repository.folder);
      onTestFinished(() => objects.close());
      const roots = [await repository.git('rev-parse', 'main^{tree}')];
      await repository.commit([['near/by.txt', 'one file more']]);
      roots.push(await repository.git('rev-parse', 'main^{tree}'));
      const blob = await writeObject(repository.folder, 'blob', Buffer.from('far'));
      roots.push(await writeTree(repository.folder, [['100644', 'nothing in common', blob]]));
      roots.push(await writeTree(repository.folder, []));
      for (const root of roots) {
        const plain = await readCommitFiles(objects, root);
        for (const other of roots) {
          const like = await readCommitFiles(objects, other);
          expect(await readCommitFiles(objects, root, like)).toEqual(plain);
        }
      }
    },
  );

  it('share their paths with another commit that has the same', async () => {
    const repository = await makeRepository([
      ['a/one.txt', 'one'],
      ['two.txt', 'two'],
    ]);
    onTestFinished(() => repository.remove());
    const objects = openObjectBatches(repository.folder);
    onTestFinished(() => objects.close());
    const read = async (like?: CommitFiles) =>
      readCommitFiles(objects, await repository.git('rev-parse', 'main^{tree}'), like);
    const first = await read();
    await repository.commit([['a/one.txt', 'changed']]);
    const changed = await read(first);
    expect(changed.paths).toBe(first.paths);
    expect(changed.pathOffsets).toBe(first.pathOffsets);
    expect(changed.ids.equals(first.ids)).toBe(false);
    // The same bytes with other boundaries.
    await repository.commit([
      ['a/one.txt', null],
      ['two.txt', null],
      ['a/one.tx', 'one'],
      ['ttwo.txt', 'two'],
    ]);
    const moved = await read(first);
    expect(moved.paths).toBe(first.paths);
    expect(pathOf(moved, 1).toString()).toBe('ttwo.txt');
  });

  it('are rejected when a tree repeats the same subtrees', async () => {
    const repository = await makeRepository();
    onTestFinished(() => repository.remove());
    const blob = await writeObject(repository.folder, 'blob', Buffer.from('x'));
    const bomb = await nest(
      repository.folder,
      await writeTree(repository.folder, [['100644', 'file', blob]]),
    );
    await expect(readFiles(repository.folder, bomb)).rejects.toThrow(TooManyFiles);
  });

  it('are rejected when folders without files repeat the same subtrees', async () => {
    const repository = await makeRepository();
    onTestFinished(() => repository.remove());
    const bomb = await nest(repository.folder, await writeTree(repository.folder, []));
    await expect(readFiles(repository.folder, bomb)).rejects.toThrow(TooManyFiles);
  });

  it('are rejected when folders are nested too deep', async () => {
    const repository = await makeRepository();
    onTestFinished(() => repository.remove());
    await repository.commit([[`${'d/'.repeat(2500)}file`, 'deep']]);
    const tree = await repository.git('rev-parse', 'main^{tree}');
    await expect(readFiles(repository.folder, tree)).rejects.toThrow(TooManyFiles);
  });

  it('are rejected when folders are nested too deep although the root lists each of them', async () => {
    const repository = await makeRepository();
    onTestFinished(() => repository.remove());
    await repository.commit([[`${'d/'.repeat(2500)}file`, 'deep']]);
    const listed = await runFixtureGit(repository.folder, ['ls-tree', '-r', '-t', '-d', 'main']);
    const folders = listed.toString().trimEnd().split('\n');
    const root = await writeTree(
      repository.folder,
      folders.map((line, index) => ['40000', `d${String(index).padStart(4, '0')}`, line.split(/[ \t]/)[2]!]),
    );
    await expect(readFiles(repository.folder, root)).rejects.toThrow(TooManyFiles);
  });

  it('are missing entirely when the repository lacks one of the trees', async () => {
    const repository = await makeRepository();
    onTestFinished(() => repository.remove());
    const blob = await writeObject(repository.folder, 'blob', Buffer.from('x'));
    const inner = await writeTree(repository.folder, [['100644', 'file', blob]]);
    const root = await writeTree(repository.folder, [['40000', 'folder', inner]]);
    const other = await readFiles(repository.folder, await writeTree(repository.folder, []));
    expect((await readFiles(repository.folder, root, other)).count).toBe(1);
    await rm(join(repository.folder, 'objects', inner.slice(0, 2), inner.slice(2)));
    await expect(readFiles(repository.folder, root)).rejects.toThrow(MissingObject);
    await expect(readFiles(repository.folder, root, other)).rejects.toThrow(MissingObject);
    await expect(readFiles(repository.folder, blob)).rejects.toThrow(MissingObject);
  });
});

describe('the range of a path', () => {
  it('is what a naive filter finds, for any names', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', 'b', '.', '-', '0', 'é', '\xff'),
      minLength: 1,
      maxLength: 3,
    });
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 25 }), path, (some, asked) => {
        // A name is either a file or a folder.
        const paths = some.filter((one) => !some.some((other) => other.startsWith(`${one}/`)));
        const files = filesAt(paths);
        for (const wanted of [
          asked,
          '',
          ...paths,
          ...paths.map((one) => one.slice(0, one.lastIndexOf('/') + 1).slice(0, -1)),
        ]) {
          const range = findRange(files, Buffer.from(wanted));
          const found = range
            ? Array.from({ length: range.to - range.from }, (_, index) =>
                pathOf(files, range.from + index).toString(),
              )
            : [];
          const isBelow = (one: string) => wanted === '' || one === wanted || one.startsWith(`${wanted}/`);
          expect(found.sort()).toEqual(paths.filter(isBelow).sort());
          if (wanted !== '') expect(range !== undefined).toBe(paths.some(isBelow));
        }
      }),
      { numRuns: 250 },
    );
  });
});

describe('a tree whose entries are out of order', () => {
  it('hides no file: each is found by path and by folder', async () => {
    const repository = await makeRepository();
    onTestFinished(() => repository.remove());
    const blob = await writeObject(repository.folder, 'blob', Buffer.from('needle\n'));
    const inner = await writeTree(repository.folder, [
      ['100644', 'z.txt', blob],
      ['100644', 'a.txt', blob],
    ]);
    const names: [string, string][] = [
      ['40000', 'folder'],
      ['100644', 'folder.txt'],
      ['100644', 'folder-a'],
      ['40000', 'a'],
      ['100644', 'z'],
    ];
    const expected = [
      ...['a/a.txt', 'a/z.txt', 'folder-a', 'folder.txt', 'folder/a.txt', 'folder/z.txt', 'z'],
    ];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(names, { minLength: names.length }), async (some) => {
        const tree = await writeTree(
          repository.folder,
          some.map(([mode, name]) => [mode, name, mode === '40000' ? inner : blob]),
        );
        const files = await readFiles(repository.folder, tree);
        const paths = Array.from({ length: files.count }, (_, file) => pathOf(files, file).toString());
        expect(paths).toEqual(expected);
        for (const path of expected) {
          const range = findRange(files, Buffer.from(path))!;
          expect(paths.slice(range.from, range.to)).toEqual([path]);
        }
        expect(findRange(files, Buffer.from('folder'))).toEqual({ from: 4, to: 6 });
      }),
      { numRuns: 12 },
    );
  });
});

const NO_FOLDERS: CommitFiles['folders'] = {
  count: 0,
  ids: Buffer.alloc(0),
  from: new Uint32Array(0),
  to: new Uint32Array(0),
  prefixBytes: new Uint32Array(0),
  ends: new Uint32Array(0),
};

function filesAt(paths: string[]): CommitFiles {
  const sorted = paths.map((path) => Buffer.from(path)).sort(Buffer.compare);
  const pathOffsets = new Uint32Array(sorted.length + 1);
  sorted.forEach((path, index) => {
    pathOffsets[index + 1] = pathOffsets[index]! + path.length;
  });
  return {
    count: sorted.length,
    idBytes: 20,
    paths: Buffer.concat(sorted),
    pathOffsets,
    ids: Buffer.alloc(20 * sorted.length),
    isLink: Buffer.alloc(sorted.length),
    folders: NO_FOLDERS,
  };
}

async function readFiles(gitDir: string, tree: string, like?: CommitFiles): Promise<CommitFiles> {
  const objects = openObjectBatches(gitDir);
  try {
    return await readCommitFiles(objects, tree, like);
  } finally {
    objects.close();
  }
}

/** Ten levels of ten identical folders: ten billion when expanded. */
async function nest(gitDir: string, innermost: string): Promise<string> {
  let tree = innermost;
  for (let level = 0; level < 10; level += 1) {
    const below = tree;
    tree = await writeTree(
      gitDir,
      Array.from({ length: 10 }, (_, index) => ['40000', String(index), below]),
    );
  }
  return tree;
}

function writeTree(gitDir: string, entries: [mode: string, name: string, id: string][]): Promise<string> {
  const content = entries.flatMap(([mode, name, id]) => [
    Buffer.from(`${mode} ${name}\0`),
    Buffer.from(id, 'hex'),
  ]);
  return writeObject(gitDir, 'tree', Buffer.concat(content));
}

async function writeObject(gitDir: string, type: string, content: Buffer): Promise<string> {
  const args = ['hash-object', '-w', '--literally', '-t', type, '--stdin'];
  return (await runFixtureGit(gitDir, args, content)).toString().trim();
}
