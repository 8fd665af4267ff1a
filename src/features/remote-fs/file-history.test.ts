/** Blame and history of files, of their lines, and of the entries of folders, over HTTP. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { runFixtureGit } from '../../../test/helpers/git/git-fixtures.ts';
import { addRepository } from '../../../test/helpers/rows/code.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { searchCommits } from '../../engines/git/index.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, globex } = service;
const api = await addRepository(
  service,
  { 'old.ts': 'one\ntwo\nthree\n', '-odd:name.ts': '\tauthor Mallory\r\nlast', empty: '' },
  { fullName: 'acme/api' },
);
const first = await api.git('rev-parse', 'main');
const second = await api.commit({ 'old.ts': 'one\nTWO\nthree\n' });
const third = await api.commit({ 'old.ts': null, 'new.ts': 'one\nTWO\nthree\n' });
await api.refresh();

const get = (
  what: 'blame' | 'history' | 'tree-commits',
  query: Record<string, string>,
  person = acme.viewer,
) =>
  service.request(
    'GET',
    `/api/v2/remote-fs/${what}?${new URLSearchParams({ repository: 'acme/api', ...query })}`,
    {
      as: withSession(person),
    },
  );

describe('blame', () => {
  it('names the last commit of each line, through renames', async () => {
    const { body } = await get('blame', { path: 'new.ts' });
    expect(body).toMatchObject({ path: 'new.ts', commit: third });
    expect(
      body.runs.map((run: Record<string, unknown>) => [run.startLine, run.endLine, run.commit, run.path]),
    ).toEqual([
      [1, 1, first, 'old.ts'],
      [2, 2, second, 'old.ts'],
      [3, 3, first, 'old.ts'],
    ]);
    expect(body.runs[0]).toMatchObject({
      authorName: expect.any(String),
      subject: expect.stringMatching(/./),
    });
    expect(Date.parse(body.runs[0].authoredAt)).toBeGreaterThan(0);
    expect(body.runs.map((run: Record<string, unknown>) => run.previous)).toEqual([
      null,
      { commit: first, path: 'old.ts' },
      null,
    ]);
  });

  it('is limited to the requested lines and commit', async () => {
    const { body } = await get('blame', { path: 'old.ts', ref: first, startLine: '2', endLine: '9' });
    expect(body.runs).toMatchObject([{ startLine: 2, endLine: 3, commit: first }]);
    expect((await get('blame', { path: 'new.ts', startLine: '50' })).body.runs).toEqual([]);
    expect((await get('blame', { path: 'empty' })).body.runs).toEqual([]);
  });

  it('reads whatever a file is named and contains', async () => {
    const { body } = await get('blame', { path: '-odd:name.ts' });
    expect(body.runs).toMatchObject([{ startLine: 1, endLine: 2, commit: first, path: '-odd:name.ts' }]);
    expect(body.runs[0].authorName).not.toContain('Mallory');
  });
});

describe('history', () => {
  const commitsOf = async (query: Record<string, string>) =>
    (await get('history', query)).body.commits.map(({ commit }: { commit: string }) => commit);

  it('lists the commits of a file, through renames, newest first', async () => {
    expect(await commitsOf({ path: 'new.ts' })).toEqual([third, second, first]);
    expect(await commitsOf({ path: '-odd:name.ts' })).toEqual([first]);
  });

  it('lists the commits of some lines', async () => {
    expect(await commitsOf({ path: 'old.ts', ref: second, startLine: '2' })).toEqual([second, first]);
    expect(await commitsOf({ path: 'old.ts', ref: second, startLine: '3', endLine: '3' })).toEqual([first]);
    expect(await commitsOf({ path: '-odd:name.ts', startLine: '1' })).toEqual([first]);
    expect(await commitsOf({ path: 'new.ts', startLine: '50' })).toEqual([]);
  });
});

describe('the last commits of a folder', () => {
  const lastOf = (path: string, ref?: string) =>
    vi.waitFor(async () => {
      const { body } = await get('tree-commits', { path, ...(ref && { ref }) });
      expect(body.isComplete, JSON.stringify(body)).toBe(true);
      expect(body.isSearching).toBe(false);
      const known = new Set(body.commits.map(({ commit }: { commit: string }) => commit));
      expect(known.size).toBe(body.commits.length);
      const entries = body.entries as { name: string; commit: string }[];
      expect(new Set(entries.map(({ commit }) => commit))).toEqual(known);
      return Object.fromEntries(entries.map(({ commit, name }) => [name, commit]));
    }, 20_000);

  it('are those that gave each entry its content, whatever it is named', async () => {
    expect(await lastOf('')).toEqual({ 'new.ts': third, '-odd:name.ts': first, empty: first });
    expect(await lastOf('', first)).toEqual({ 'old.ts': first, '-odd:name.ts': first, empty: first });
    const { body } = await get('tree-commits', { path: '' });
    expect(body).toMatchObject({ path: '', commit: third });
    expect(body.commits[0]).toMatchObject({ subject: expect.stringMatching(/./), authorName: 'Fixture' });
  });

  it('are the ones that git log names for each entry, in histories with merges', async () => {
    const names = ['a', 'b', 'sub/c', 'sub/d', 'sub/deep/e'];
    const change = fc.record({
      from: fc.array(fc.nat(3), { minLength: 1, maxLength: 2 }),
      names: fc.subarray(names, { minLength: 1 }),
      taken: fc.array(fc.boolean(), { minLength: names.length, maxLength: names.length }),
    });
    const [history] = fc.sample(fc.array(change, { minLength: 25, maxLength: 25 }), { numRuns: 1, seed: 7 });
    const made: { id: string; files: Record<string, string> }[] = [{ id: first, files: {} }];
    for (const [number, { from, names: changed, taken }] of history!.entries()) {
      const parents = [...new Set(from.map((back) => made[Math.max(0, made.length - 1 - back)]!))];
      const files = { ...parents[0]!.files };
      // A merge takes each file from one of its parents, and changes some itself.
      for (const [index, name] of names.entries())
        if (taken[index] && parents[1]?.files[name]) files[name] = parents[1].files[name];
      const own = parents.length === 2 && number % 3 > 0 ? [] : changed;
      for (const name of own) files[name] = `${number} ${name}`;
      const draft = await api.commit(files, { branch: 'draft', from: null });
      const onto = parents.flatMap(({ id }) => ['-p', id]);
      const id = await api.git('commit-tree', `${draft}^{tree}`, ...onto, '-m', `Change ${number}`);
      made.push({ id, files });
    }
    const { id } = made.at(-1)!;
    await api.git('branch', 'woven', id);
    await api.refresh();
    for (const [folder, prefix] of [
      ['', ''],
      ['sub', 'sub/'],
    ] as const) {
      const found = await lastOf(folder, 'woven');
      expect(Object.keys(found).length).toBeGreaterThan(1);
      for (const [name, commit] of Object.entries(found))
        expect(commit, name).toBe(await api.git('log', '-1', '--format=%H', id, '--', `${prefix}${name}`));
    }
  });
});

it.each(['blame', 'history', 'tree-commits'] as const)(
  '%s refuses what is no file of a visible repository',
  async (what) => {
    expect((await get(what, { path: 'none.ts' })).status).toBe(404);
    if (what !== 'tree-commits') expect((await get(what, { path: '/' })).status).toBe(400);
    expect((await get(what, { path: what === 'tree-commits' ? '' : 'new.ts' }, globex.owner)).status).toBe(
      404,
    );
    expect((await get(what, { path: '../new.ts' })).status).toBe(400);
  },
);

describe('commits', async () => {
  const work = await addRepository(
    service,
    { 'src/a.ts': 'alpha(x)\n', '-odd:\u0001name.ts': 'alpha(x)\n' },
    { fullName: 'acme/work' },
  );
  const ids: Record<string, string> = { start: await work.git('rev-parse', 'main') };
  const author = { name: 'Ann Lee', email: 'ann@example.com' };
  ids.gamma = await work.commit(
    { 'src/a.ts': 'alpha(x)\ngamma[1]\n' },
    { message: 'Add gamma\n\nThe body says Zeta.' },
  );
  ids.docs = await work.commit({ 'docs/x.md': 'gamma[1]\n' }, { message: '--all --output=x zeta', author });
  ids.gone = await work.commit({ 'src/a.ts': null }, { message: 'Remove it', author });
  await work.refresh();

  const search = async (query: Record<string, string>, person = acme.viewer) => {
    const params = new URLSearchParams({ repository: 'acme/work', ...query });
    const { body, status } = await service.request('GET', `/api/v2/remote-fs/search-commits?${params}`, {
      as: withSession(person),
    });
    const names = body.commits?.map(({ commit }: { commit: string }) =>
      Object.keys(ids).find((name) => ids[name] === commit),
    );
    return { body, status, names };
  };

  it.each([
    [{ query: 'Zeta' }, ['gamma']],
    [{ query: 'zeta', ignoreCase: 'true' }, ['docs', 'gamma']],
    [{ query: 'Zeta or Remove' }, ['gone', 'gamma']],
    [{ query: '"--all --output"' }, ['docs']],
    [{ query: 'author:ann@example' }, ['gone', 'docs']],
    [{ query: 'Remove author:Ann path:src' }, ['gone']],
    [{ query: 'author:Ann -path:src/' }, ['docs']],
    [{ query: 'author:Ann path:*.md' }, ['docs']],
    [{ query: 'gamma[1]', in: 'changes' }, ['gone', 'docs', 'gamma']],
    [{ query: 'GAMMA[1] path:/src', in: 'changes', ignoreCase: 'true' }, ['gone', 'gamma']],
    [{ query: 'nothing or gamma[ path:docs/', in: 'changes' }, ['docs']],
    [{ query: 'gamma.1.', in: 'changes' }, []],
    [{ query: 'alpha', in: 'changes', ref: ids.gamma! }, ['start']],
  ])('are found by %j', async (query, names) => {
    const found = await search(query);
    expect(found.status).toBe(200);
    expect(found.names).toEqual(names);
    expect(found.body).toMatchObject({ next: null, notSearched: null });
    expect(found.body.searched).toBe(found.body.total.count);
  });

  it('come with the files whose text changed', async () => {
    const { body } = await search({ query: 'alpha', in: 'changes' });
    expect(body.commits.map(({ paths }: { paths: string[] }) => paths)).toEqual([
      ['src/a.ts'],
      ['-odd:\u0001name.ts', 'src/a.ts'],
    ]);
    expect(body.commits[0]).toMatchObject({ authorName: 'Ann Lee', subject: 'Remove it' });
  });

  it.each([
    [{ query: 'x', repository: 'acme/none' }, 404],
    [{ query: 'x lang:go' }, 400],
    [{ query: 'x repo:acme/work' }, 400],
    [{ query: 'x -author:ann' }, 400],
    [{ query: 'x path:{a,b}' }, 400],
    [{ query: 'author:ann', in: 'changes' }, 400],
    [{ query: 'path:src' }, 400],
  ])('are refused for %j', async (query, status) => {
    expect((await search(query)).status).toBe(status);
    expect((await search({ query: 'x' }, globex.owner)).status).toBe(404);
  });

  it('continue where a search ended, whether it had enough or its time was up', async () => {
    const lines = Array.from({ length: 120 }, (_, at) => `many ${at}`);
    const stream = lines.map(
      (line) =>
        `commit refs/heads/many\ncommitter A <a@b.c> 1700000000 +0000\ndata ${line.length}\n${line}\nM 100644 inline f\ndata ${line.length}\n${line}\n`,
    );
    const folder = work.folder;
    await runFixtureGit(folder, ['fast-import', '--quiet'], Buffer.from(stream.join('')));
    const commit = await work.git('rev-parse', 'many');
    const query = { commit, terms: ['many'], ignoreCase: false, authors: [], paths: [] };
    const subjects: string[] = [];
    for (let skip = 0; skip < 120; ) {
      const found = await searchCommits(
        { ...query, place: 'message', skip, limit: 50 },
        { gitDir: folder, timeoutMs: 60_000 },
      );
      subjects.push(...found.commits.map(({ subject }) => subject));
      expect(found).toMatchObject({ total: 120, isLowerBound: false });
      expect(found.searched).toBe(Math.min(50, 120 - skip));
      skip += found.searched;
    }
    expect(subjects).toEqual(lines.toReversed());
    const late = await searchCommits(
      { ...query, place: 'changes', skip: 7, limit: 50 },
      { gitDir: folder, timeoutMs: 0 },
    );
    expect(late).toEqual({ commits: [], searched: 0, total: 7, isLowerBound: true });
  });
});
