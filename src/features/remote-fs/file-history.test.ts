/** Blame and history of files and of their lines, over HTTP. */
import { describe, expect, it } from 'vitest';
import { addRepository } from '../../../test/helpers/rows/code.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';

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

const get = (what: 'blame' | 'history', query: Record<string, string>, person = acme.viewer) =>
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

it.each(['blame', 'history'] as const)('%s refuses what is no file of a visible repository', async (what) => {
  expect((await get(what, { path: 'none.ts' })).status).toBe(404);
  expect((await get(what, { path: '/' })).status).toBe(400);
  expect((await get(what, { path: 'new.ts' }, globex.owner)).status).toBe(404);
  expect((await get(what, { path: '../new.ts' })).status).toBe(400);
});
