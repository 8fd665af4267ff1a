import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type FixtureRepository,
  makeRepository,
  runFixtureGit,
} from '../../../../test/helpers/git/git-fixtures.ts';
import { listRefs } from './refs.ts';

const made: FixtureRepository[] = [];
async function make(...args: Parameters<typeof makeRepository>): Promise<FixtureRepository> {
  const repository = await makeRepository(...args);
  made.push(repository);
  return repository;
}
afterEach(async () => {
  for (const repository of made.splice(0)) await repository.remove();
});

describe('listRefs', () => {
  it.each(['sha1', 'sha256'] as const)(
    'lists branches, tags and the default branch of a %s repository',
    async (objectFormat) => {
      const repository = await make({ a: 'one' }, { objectFormat });
      const first = await repository.git('rev-parse', 'HEAD');
      const second = await repository.commit({ a: 'two' }, { branch: 'feature/größe' });
      await repository.git('tag', 'light', first);
      expect(await listRefs(repository.folder)).toEqual({
        objectFormat,
        defaultBranch: 'main',
        headCommit: first,
        refs: [
          { name: 'feature/größe', kind: 'branch', commit: second },
          { name: 'main', kind: 'branch', commit: first },
          { name: 'light', kind: 'tag', commit: first },
        ],
        unreadableNames: 0,
      });
    },
  );

  it('resolves tags of tags to their commit, and skips tags of trees and files', async () => {
    const repository = await make({ a: 'one' });
    const commit = await repository.git('rev-parse', 'HEAD');
    await repository.git('tag', '-a', '-m', 'one', 'once', commit);
    await repository.git('tag', '-a', '-m', 'two', 'twice', 'once');
    await repository.git('tag', '-a', '-m', 'tree', 'of-tree', 'HEAD^{tree}');
    await repository.git('tag', 'of-file', 'HEAD:a');
    const { refs } = await listRefs(repository.folder);
    expect(refs.filter(({ kind }) => kind === 'tag')).toEqual([
      { name: 'once', kind: 'tag', commit },
      { name: 'twice', kind: 'tag', commit },
    ]);
  });

  it('has no default branch in an empty repository', async () => {
    const repository = await make();
    const empty = { defaultBranch: null, headCommit: null, refs: [], unreadableNames: 0 };
    expect(await listRefs(repository.folder)).toEqual({ objectFormat: 'sha1', ...empty });
  });

  it('counts names that are not UTF-8', async () => {
    const repository = await make({ a: 'one' });
    const commit = await repository.git('rev-parse', 'HEAD');
    const input = Buffer.from(`create refs/heads/caf\xe9 ${commit}\n`, 'latin1');
    await runFixtureGit(repository.folder, ['update-ref', '--stdin'], input);
    const { refs, unreadableNames } = await listRefs(repository.folder);
    expect({ names: refs.map(({ name }) => name), unreadableNames }).toEqual({
      names: ['main'],
      unreadableNames: 1,
    });
  });

  it('lists 120,000 refs', async () => {
    const repository = await make({ a: 'one' });
    const commit = await repository.git('rev-parse', 'HEAD');
    const lines = Array.from(
      { length: 120_000 },
      (_, index) => `${commit} refs/tags/build-${String(index).padStart(6, '0')}\n`,
    );
    await appendFile(join(repository.folder, 'packed-refs'), lines.join(''));
    const { refs } = await listRefs(repository.folder);
    expect(refs.length).toBe(120_001);
    expect(refs.at(-1)).toEqual({ name: 'build-119999', kind: 'tag', commit });
  });

  it('fails when the folder is not a repository', async () => {
    const repository = await make();
    await expect(listRefs(repository.parent)).rejects.toMatchObject({ reason: 'exit' });
  });

  it('rejects when aborted', async () => {
    const repository = await make({ a: 'one' });
    const controller = new AbortController();
    const work = listRefs(repository.folder, controller.signal);
    controller.abort();
    await expect(work).rejects.toMatchObject({ reason: 'aborted' });
  });
});
