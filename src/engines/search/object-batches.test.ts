/** Objects that are asked for at once come whole, each to whom it was asked by. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeRepository, runFixtureGit } from '../../../test/git-fixtures.ts';
import { configureGit } from '../git/index.ts';
import { MissingObject } from './commit-files.ts';
import { openObjectBatches } from './object-batches.ts';

describe('trees that are read many at once', async () => {
  // One of them is larger than what a pipe gives at a time.
  const repository = await makeRepository(
    Array.from({ length: 6000 }, (_, file) => [`${file % 3 ? 'large' : `small${file}`}/file${file}`, '']),
  );
  const objects = openObjectBatches(repository.folder);
  afterAll(() => {
    objects.close();
    return repository.remove();
  });
  const listed = await runFixtureGit(repository.folder, ['ls-tree', '-d', 'main']);
  const ids = listed
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/[ \t]/)[2]!);
  const contents = await Promise.all(
    ids.slice(0, 50).map((id) => runFixtureGit(repository.folder, ['cat-file', 'tree', id])),
  );

  it('come in the order in which they were asked for, to each who asked at the same time', async () => {
    const [all, some, none] = await Promise.all([
      objects.read(ids, 'tree'),
      objects.read(ids.slice(0, 50).reverse(), 'tree'),
      objects.read([], 'tree'),
    ]);
    expect(all.length).toBe(ids.length);
    expect(all.slice(0, 50)).toEqual(contents);
    expect(some).toEqual(contents.toReversed());
    expect(none).toEqual([]);
  });

  it('are missing as a whole when one is, or is something else, and those asked for by others are not', async () => {
    const commit = await repository.git('rev-parse', 'main');
    const asked = await Promise.allSettled([
      objects.read([ids[0]!, 'f'.repeat(40), ids[1]!], 'tree'),
      objects.read(ids.slice(0, 2), 'tree'),
      objects.read([commit], 'tree'),
      objects.read([commit], 'commit'),
    ]);
    expect(asked).toMatchObject([
      { reason: expect.any(MissingObject) },
      { value: contents.slice(0, 2) },
      { reason: expect.any(MissingObject) },
      { value: [await runFixtureGit(repository.folder, ['cat-file', 'commit', commit])] },
    ]);
  });

  it('are read again after it was closed', async () => {
    objects.close();
    expect(await objects.read(ids.slice(0, 1), 'tree')).toEqual(contents.slice(0, 1));
  });

  // The last, for what it learns of git is kept.
  it('are read one after the other by a git from before 2.36', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-old-git-'));
    const usual = '/usr/local/bin:/usr/bin:/bin';
    const script = `#!/bin/sh
case " $* " in *" --batch-command "*) echo "error: unknown option \\\`batch-command'" >&2; exit 129;; esac
PATH=${usual} exec git "$@"
`;
    writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
    configureGit({ path: `${folder}:${usual}` });
    const old = openObjectBatches(repository.folder);
    try {
      const asked = [old.read(ids.slice(0, 50), 'tree'), old.read(ids.slice(0, 2), 'tree')];
      expect(await Promise.all(asked)).toEqual([contents, contents.slice(0, 2)]);
      expect(await old.read(ids, 'tree')).toHaveLength(ids.length);
    } finally {
      old.close();
      rmSync(folder, { recursive: true });
    }
  });
});
