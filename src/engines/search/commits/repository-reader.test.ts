/** A process keeps commits that it read, within limits. */
import { expect, it, onTestFinished } from 'vitest';
import { makeRepository } from '../../../../test/helpers/git/git-fixtures.ts';
import { bytesOf } from './commit-files.ts';
import { createReaderCaches, openRepository, type RepositoryReader } from './repository-reader.ts';

const indexedOf = (reader: RepositoryReader, commit: string) =>
  reader.withIndexedFiles(commit, async (indexed) => indexed);

it('keeps as many lists of files as fit into its limit, also those that the index was joined with', async () => {
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`folder/${n}.txt`, `${n}`]));
  const repository = await makeRepository(Object.entries(files));
  onTestFinished(() => repository.remove());
  const commits = [await repository.git('rev-parse', 'main')];
  for (let n = 0; n < 9; n += 1) commits.push(await repository.commit([['folder/1.txt', `changed ${n}`]]));
  const bytes = bytesOf(await reading(openRepository(repository.folder, null), commits[0]!));
  const reader = openRepository(repository.folder, null, createReaderCaches(bytes * 5));
  const first = [];
  for (const commit of commits) first.push(await indexedOf(reader, commit));
  const kept = [];
  for (const [index, commit] of commits.entries().toArray().reverse())
    kept.push((await indexedOf(reader, commit)) === first[index]);
  reader.close();
  const [ofTheLast, ofTheOthers] = [kept.slice(0, 3), kept.slice(5)];
  expect(ofTheLast).toEqual([true, true, true]);
  expect(ofTheOthers).toEqual([false, false, false, false, false]);
});

async function reading(reader: RepositoryReader, commit: string) {
  try {
    return await reader.filesOf(commit);
  } finally {
    reader.close();
  }
}
