/** An index grows, merges, repairs itself, stays within its limit, and survives a killed builder. */
import { existsSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startIndexProcess } from '../../../test/exactness/index-process.ts';
import { build, linesOf, makeFolder, openForTest, search } from '../../../test/exactness/one-index.ts';
import {
  type FixtureFile,
  type FixtureRepository,
  makeRepository,
} from '../../../test/helpers/git/git-fixtures.ts';
import { bytesIn } from './build-index.ts';
import { makeRoom } from './index-room.ts';
import { listIndexShards } from './shards/shard-set.ts';

describe('building an index', () => {
  it('merges the small shards of many pushes without losing anything', async () => {
    const repository = await repositoryOf({ 'first.txt': 'needle first\n' });
    const index = makeFolder();
    for (let push = 0; push < 20; push += 1) {
      const commit = await repository.commit({ [`file-${push}.txt`]: `needle ${push}\n` });
      await build(repository.folder, index, [commit]);
      expect(listIndexShards(index).length).toBeLessThanOrEqual(9);
    }
    const reader = openForTest(repository.folder, index);
    const head = await repository.git('rev-parse', 'main');
    const outcome = await search(reader, { commit: head, pattern: 'needle' });
    expect(outcome).toMatchObject({ isIndexed: true, matchingLines: 21 });
    expect(readdirSync(index).filter((file) => file.endsWith('.new'))).toEqual([]);
  });

  it('adds nothing that is already indexed', async () => {
    const repository = await repositoryOf({ 'one.txt': 'one\n', 'two.bin': Buffer.from([0, 1]) });
    const index = makeFolder();
    const head = await repository.git('rev-parse', 'main');
    expect(await build(repository.folder, index, [head])).toMatchObject({ addedBlobs: 2 });
    expect(await build(repository.folder, index, [head, head])).toMatchObject({ addedBlobs: 0 });
  });

  it('rebuilds damaged and removed shards', async () => {
    const repository = await repositoryOf({ 'one.txt': 'needle one\n' });
    const index = makeFolder();
    const first = await repository.git('rev-parse', 'main');
    await build(repository.folder, index, [first]);
    const second = await repository.commit({ 'two.txt': 'needle two\n' });
    await build(repository.folder, index, [second]);
    for (const ending of ['index', 'text']) {
      truncateSync(join(index, `${listIndexShards(index)[0]}.${ending}`), 3);
      const other = makeFolder();
      // Another process wouldn't have the shard open; a renamed folder has the same effect here.
      for (const file of readdirSync(index))
        writeFileSync(join(other, file), readFileSync(join(index, file)));
      const reader = openForTest(repository.folder, other);
      expect(linesOf(await search(reader, { commit: second, pattern: 'needle' }))).toHaveLength(2);
      expect(await build(repository.folder, other, [second])).toMatchObject({ addedBlobs: 1 });
      expect(await search(reader, { commit: second, pattern: 'needle' })).toMatchObject({
        isIndexed: true,
        matchingLines: 2,
      });
    }
  });

  it('never merges a corrupted text, and reads it from the repository again', async () => {
    const repository = await repositoryOf({ 'file-0.txt': 'needle 0\n' });
    const index = makeFolder();
    const head = async () => repository.git('rev-parse', 'main');
    await build(repository.folder, index, [await head()]);
    const text = join(index, `${listIndexShards(index)[0]}.text`);
    writeFileSync(text, 'noodle 0\n', { flag: 'r+' });
    for (let push = 1; push < 10; push += 1) {
      await repository.commit({ [`file-${push}.txt`]: `needle ${push}\n` });
      await build(repository.folder, index, [await head()]);
    }
    expect(existsSync(text)).toBe(false);
    const reader = openForTest(repository.folder, index);
    expect(linesOf(await search(reader, { commit: await head(), pattern: 'needle' }))).toHaveLength(10);
    await build(repository.folder, index, [await head()]);
    expect(await search(reader, { commit: await head(), pattern: 'needle' })).toMatchObject({
      isIndexed: true,
      matchingLines: 10,
    });
  });

  it('verifies a text once a week, and rebuilds it when it is corrupted', async () => {
    const repository = await repositoryOf({ 'one.txt': 'needle one\n' });
    const index = makeFolder();
    const head = await repository.git('rev-parse', 'main');
    await build(repository.folder, index, [head]);
    const text = join(index, `${listIndexShards(index)[0]}.text`);
    writeFileSync(text, 'noodle', { flag: 'r+' });
    utimesSync(text, 1, 1);
    expect(await build(repository.folder, index, [head])).toMatchObject({ addedBlobs: 1 });
    const reader = openForTest(repository.folder, index);
    expect(linesOf(await search(reader, { commit: head, pattern: 'needle' }))).toEqual(['one.txt:1']);
  });

  it('skips missing commits', async () => {
    const repository = await repositoryOf({ 'one.txt': 'one\n' });
    const head = await repository.git('rev-parse', 'main');
    expect(await build(repository.folder, makeFolder(), ['f'.repeat(40), head])).toMatchObject({
      addedBlobs: 1,
    });
  });
});

describe('the size limit of an index', () => {
  it('is respected, and searches stay exact for what did not fit', async () => {
    const repository = await repositoryOf(manyFiles(400));
    const index = makeFolder();
    const head = await repository.git('rev-parse', 'main');
    const most = 300_000;
    const outcome = await build(repository.folder, index, [head], most);
    expect(outcome.addedBlobs).toBeGreaterThan(10);
    expect(outcome.leftOut).toBeGreaterThan(10);
    expect(bytesIn(index)).toBeLessThanOrEqual(most * 1.5);
    const again = await build(repository.folder, index, [head], most);
    expect(bytesIn(index)).toBeLessThanOrEqual(most * 1.5);
    expect(again.leftOut).toBeGreaterThan(0);
    const reader = openForTest(repository.folder, index);
    const found = await search(reader, { commit: head, pattern: 'needle \\d*5\\b' });
    expect(linesOf(found)).toHaveLength(40);
    expect(found).toMatchObject({ isIndexed: false, moreLines: null, notSearched: [] });
  });

  it('evicts the least recently used indexes', async () => {
    const root = makeFolder();
    const folders = ['old', 'middle', 'new', 'own'].map((name) => join(root, name, 'index'));
    for (const [order, folder] of folders.entries()) {
      await mkdir(folder, { recursive: true });
      const file = join(folder, 'shard.text');
      writeFileSync(file, Buffer.alloc(1000));
      utimesSync(file, 1000 + order, 1000 + order);
    }
    const [old, middle, newest, own] = folders as [string, string, string, string];
    expect(await makeRoom(own, 10_000)).toBe(7000);
    expect(folders.map((folder) => existsSync(folder))).toEqual([true, true, true, true]);
    expect(await makeRoom(own, 4000)).toBe(2000);
    expect([old, middle, newest, own].map((folder) => existsSync(folder))).toEqual([false, true, true, true]);
    expect(await makeRoom(own, 1000)).toBe(1000);
    expect([middle, newest, own].map((folder) => existsSync(folder))).toEqual([false, false, true]);
  });
});

describe('a builder that is killed', () => {
  it('at any moment leaves an index that is exact to search and that the next builder completes', async () => {
    const repository = await repositoryOf(manyFiles(600));
    const commits = [await repository.git('rev-parse', 'main')];
    for (let push = 0; push < 9; push += 1) {
      commits.push(await repository.commit({ [`pushed-${push}.txt`]: `needle pushed ${push}\n` }));
    }
    const head = commits.at(-1)!;
    const index = makeFolder();
    const wasKilled: boolean[] = [];
    for (let round = 0; round < 8; round += 1) {
      const builder = startIndexProcess();
      // One push after another, so that merges happen too.
      const building = builder.build({ gitDir: repository.folder, indexFolder: index }, commits);
      wasKilled.push(await builder.killAfterFiles(index, round, building));
      const reader = openForTest(repository.folder, index);
      expect(linesOf(await search(reader, { commit: head, pattern: 'needle' }))).toHaveLength(609);
    }
    expect(wasKilled).toContain(true);
    for (const file of readdirSync(index)) utimesSync(join(index, file), 1, 1);
    await build(repository.folder, index, commits);
    const reader = openForTest(repository.folder, index);
    expect(await search(reader, { commit: head, pattern: 'needle' })).toMatchObject({
      isIndexed: true,
      matchingLines: 609,
    });
    // Leftovers of killed builders are gone: each text has its index, and nothing is half written.
    const names = listIndexShards(index);
    expect(readdirSync(index).sort()).toEqual(
      names.flatMap((name) => [`${name}.index`, `${name}.text`]).sort(),
    );
  });
});

async function repositoryOf(files: Record<string, FixtureFile>): Promise<FixtureRepository> {
  const repository = await makeRepository(files);
  onTestFinished(() => repository.remove());
  return repository;
}

function manyFiles(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `folder-${index % 7}/file-${index}.txt`,
      `${'some words that fill the file and more of them\n'.repeat(20)}needle ${index}\n`.replaceAll(
        'words',
        `w${index}`,
      ),
    ]),
  );
}
