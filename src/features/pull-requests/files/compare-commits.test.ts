/** Comparing the commits of two heads after a rebase, and those of a submodule, over HTTP. Real git. */
import { describe, expect, it } from 'vitest';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { makePullRequest } from '../../../../test/helpers/rows/pull-requests.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { RANGE_DIFF_LIMITS } from '../../../engines/git/index.ts';
import { BY_SERVICE, withPullRequestAs } from '../index.ts';
import { addressKey, resolveAddress, submoduleAddress } from './submodule-address.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme, clock, db, globex } = service;

const numbered = (change: Record<number, string> = {}) =>
  Array.from({ length: 20 }, (_, at) => `${change[at + 1] ?? `line ${at + 1}`}\n`).join('');
const library = await addRepository(service, { 'a.txt': '1\n' });
const inLibrary = [await library.git('rev-parse', 'main')];
for (const text of ['2\n', '3\n'])
  inLibrary.push(await library.commit({ 'a.txt': text }, { message: `Say ${text.trim()}` }));
await library.refresh();

const gitmodules = (path: string, url: string) => `[submodule "${path}"]\n\tpath = ${path}\n\turl = ${url}\n`;
const api = await addRepository(service, {
  'a.txt': numbered(),
  '.gitmodules': gitmodules('lib', library.folder) + gitmodules('other', 'https://git.example/other.git'),
  lib: { submodule: inLibrary[0]! },
  other: { submodule: '1'.repeat(40) },
});
const base = await api.git('rev-parse', 'main');
const commit = (files: Parameters<typeof api.commit>[0], message: string, from?: string) =>
  api.commit(files, { branch: 'feature', message, ...(from && { from }) });
await commit({ 'a.txt': numbered({ 5: 'five' }) }, 'Five', base);
await commit({ 'a.txt': numbered({ 5: 'five', 15: 'ten' }) }, 'Ten');
const oldHead = await commit({ 'b.txt': 'b\n' }, 'Add b');
const newBase = await api.commit({ 'c.txt': 'c\n' });
await commit({ 'a.txt': numbered({ 5: 'five' }) }, 'Five', newBase);
await commit({ 'a.txt': numbered({ 5: 'five', 15: 'TEN' }) }, 'Ten');
const head = await commit(
  { lib: { submodule: inLibrary[2]! }, other: { submodule: '2'.repeat(40) } },
  'Move',
);
await api.refresh();

const { id } = await makePullRequest(service, api, { headCommit: oldHead });
await db.updateTable('pull_request_heads').set({ base_commit: base, merge_base: base }).execute();
await withPullRequestAs(
  { db, announce: () => undefined },
  { ...BY_SERVICE, organizationId: acme.id },
  id,
  clock.now(),
  (change) => change.recordHead({ commit: head, baseCommit: newBase, mergeBase: newBase, forced: true }),
);

const get = (
  what: string,
  query: Record<string, string>,
  as: Parameters<typeof service.request>[2] = { as: withSession(acme.viewer) },
) => service.request('GET', `/api/v2/pull-requests/${id}/${what}?${new URLSearchParams(query)}`, as);

describe('two heads', () => {
  it('are paired commit by commit, with the difference between their patches', async () => {
    const { body, status } = await get('heads/compare', { from: oldHead });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ from: oldHead, to: head, tooLarge: false });
    const found = body.commits as { change: string; subject: string; lines: string[]; oldCommit: string }[];
    expect(found.map(({ change, subject }) => `${change} ${subject}`)).toEqual([
      'same Five',
      'changed Ten',
      'removed Add b',
      'added Move',
    ]);
    expect(found[0]!.oldCommit).toMatch(/^[0-9a-f]{40}$/);
    expect(found[1]!.lines).toEqual(expect.arrayContaining(['-+ten', '++TEN']));
  });

  it('must be heads of this pull request, and small enough', async () => {
    expect((await get('heads/compare', { from: base })).body.errors).toEqual([
      { path: 'from', message: 'was never the head of this pull request' },
    ]);
    for (let at = 0; at <= RANGE_DIFF_LIMITS.commits; at += 1)
      await commit({ [`${at}.txt`]: `${at}\n` }, `Commit ${at}`);
    const many = await api.git('rev-parse', 'feature');
    await api.refresh();
    await db
      .insertInto('pull_request_heads')
      .values((rows) => ({
        ...{ pull_request_id: id, position: 99, commit: many, base_commit: newBase, merge_base: newBase },
        organization_id: rows.val(acme.id),
        seen_at: clock.now(),
      }))
      .execute();
    expect((await get('heads/compare', { from: oldHead, to: many })).body).toMatchObject({
      tooLarge: true,
      commits: [],
    });
  });
});

describe('a submodule', () => {
  const between = { from: newBase, to: head };

  it('shows the commits between, where its repository is known here and visible', async () => {
    const { body, status } = await get('files/submodule', { path: 'lib', ...between });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      oldCommit: inLibrary[0],
      newCommit: inLibrary[2],
      repository: { id: library.id, name: library.fullName },
      between: { total: 2, removed: 0, commits: [{ subject: 'Say 3' }, { subject: 'Say 2' }] },
    });
    const back = await get('files/submodule', { path: 'lib', from: head, to: newBase });
    expect(back.body.between).toEqual({ total: 0, removed: 2, commits: [] });
    await db
      .updateTable('repositories')
      .set({ visibility: 'members' })
      .where('id', '=', library.id)
      .execute();
    const hidden = await get('files/submodule', { path: 'lib', ...between });
    expect(hidden.body).toMatchObject({ repository: null, between: null, newCommit: inLibrary[2] });
    await db
      .updateTable('repositories')
      .set({ visibility: 'organization' })
      .where('id', '=', library.id)
      .execute();
  });

  it('shows the two commits of one that is not known, and of no other file', async () => {
    expect((await get('files/submodule', { path: 'other', ...between })).body).toMatchObject({
      ...{ oldCommit: '1'.repeat(40), newCommit: '2'.repeat(40), repository: null, between: null },
      address: 'https://git.example/other.git',
    });
    expect((await get('files/submodule', { path: 'a.txt', ...between })).status).toBe(404);
  });

  it('is found by any address of its repository', () => {
    const text = `[submodule "a"]\n  path = vendor/a\n  url = ../a.git\n${gitmodules('b', 'ssh://x/b')}`;
    expect(submoduleAddress(text, 'vendor/a')).toBe('../a.git');
    expect(submoduleAddress(text, 'a')).toBeUndefined();
    expect(resolveAddress('../a.git', 'https://git.example/acme/api.git')).toBe(
      'https://git.example/acme/a.git',
    );
    expect(resolveAddress('../../x/a', 'git@git.example:acme/api.git')).toBe('git@git.example/x/a');
    expect(resolveAddress('./a', 'https://git.example/api/')).toBe('https://git.example/api/a');
    const same = [
      'git@Git.example:acme/a.git',
      'https://git.example/acme/a',
      'ssh://git@git.example/acme/A/',
    ];
    expect(new Set(same.map(addressKey))).toEqual(new Set(['git.example/acme/a']));
    expect(addressKey('ext::sh -c x')).toBeUndefined();
  });
});

it('needs a session of the same organization', async () => {
  for (const [what, query] of [
    ['heads/compare', { from: oldHead }],
    ['files/submodule', { path: 'lib' }],
  ] as const) {
    expect((await get(what, query, { as: withSession(globex.admin) })).status).toBe(404);
    expect((await get(what, query, { as: withKey(acme.admin) })).status).toBe(403);
  }
});
