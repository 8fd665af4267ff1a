/** Objects requested concurrently are complete, and each caller gets its own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeRepository, runFixtureGit } from '../../../../test/helpers/git/git-fixtures.ts';
import { configureGit } from '../../git/index.ts';
import { MissingObject } from './commit-files.ts';
import { openObjectBatches } from './object-batches.ts';

describe('trees read in batches', async () => {
  // One of them is larger than a pipe's buffer.
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

  it('come in request order to each of several concurrent callers', async () => {
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

  it('fail as a batch when one is missing or of another type, without affecting other batches', async () => {
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

  it('can be read again after a close', async () => {
    objects.close();
    expect(await objects.read(ids.slice(0, 1), 'tree')).toEqual(contents.slice(0, 1));
  });

  // Last, because the detected git version is cached.
  it('are read one at a time by git before 2.36', async () => {
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
