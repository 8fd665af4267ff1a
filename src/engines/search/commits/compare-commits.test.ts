/** A comparison is cached, and belongs to its repository. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeRepository } from '../../../../test/helpers/git/git-fixtures.ts';
import { comparisons } from './compare-commits.ts';
import { createReaderCaches, openRepository } from './repository-reader.ts';

const CALL = {
  signal: AbortSignal.timeout(60_000),
  time: { timeLimitMs: 60_000, waitedMs: 0 },
  onProgress: () => undefined,
};

it('keeps the list of files and each difference for the reader that asked', async () => {
  const repository = await makeRepository({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
  onTestFinished(repository.remove);
  const from = await repository.git('rev-parse', 'main');
  const to = await repository.commit({ 'a.txt': 'two\n', 'b.txt': 'two\n' });
  const caches = createReaderCaches(1_000_000);
  const [first, second] = [1, 2].map(() => openRepository(repository.folder, null, caches));
  onTestFinished(() => {
    first!.close();
    second!.close();
  });
  const ask = (reader = first!) => [
    comparisons.listChanges(reader, { from, to, limit: 10 }, CALL),
    comparisons.fileDiff(reader, { from, to, path: 'a.txt', context: 3, ignoreWhitespace: false }, CALL),
  ];
  const answers = await Promise.all(ask());
  expect(answers).toMatchObject([{ total: 2 }, { hunks: [{ lines: ['-one', '+two'] }] }]);

  renameSync(join(repository.folder, 'objects'), join(repository.folder, 'gone'));
  expect(await Promise.all(ask())).toEqual(answers);
  const other = { from, to, path: 'b.txt', context: 3, ignoreWhitespace: false };
  await expect(comparisons.fileDiff(first!, other, CALL)).rejects.toThrow();
  for (const answer of ask(second)) await expect(answer).rejects.toThrow();
});
