/** Differences of a pull request, over HTTP: commits, files, the diff of a file, viewed files and the last seen head. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type FixtureFiles, runFixtureGit } from '../../../../test/helpers/git/git-fixtures.ts';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { makeHostAccount } from '../../../../test/helpers/rows/pull-requests.ts';
import { PASSWORD, type Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { BY_SERVICE, insertPullRequest } from '../index.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme, db, globex } = service;
const { admin, member, owner, viewer } = acme;

const numbered = (count: number) => Array.from({ length: count }, (_, line) => `line ${line + 1}\n`).join('');
const api = await addRepository(service, {
  'a.txt': numbered(20),
  'old.txt': numbered(10),
  'package-lock.json': '{}\n',
});
const base = await api.git('rev-parse', 'main');
const changes: FixtureFiles = {
  'a.txt': numbered(20).replace('line 10\n', 'ten\n'),
  'old.txt': null,
  'new.txt': `${numbered(10)}more\n`,
  'package-lock.json': '{"a":1}\n',
};
const first = await api.commit(changes, { branch: 'feature', from: base, message: 'First\n\nWhy.' });
const head = await api.commit({ 'src/b.ts': '  b\n' }, { branch: 'feature', message: 'Second' });
// The base moves on: it is not part of the pull request.
await api.commit({ 'elsewhere.txt': 'x\n' });
await api.refresh();

let count = 0;
async function open(heads: { commit: string; mergeBase: string | null; baseCommit: string | null }[]) {
  count += 1;
  const at = service.clock.now();
  return inTransaction(db, async (transaction) => {
    const change = await insertPullRequest(
      transaction,
      {
        id: uuidv7(),
        organizationId: acme.id,
        repositoryId: api.id,
        number: count,
        origin: 'git',
        title: 'A change',
        description: '',
        state: 'open',
        author: { kind: 'person', userId: member.userId, accountId: null, name: 'Member' },
        headRepository: null,
        headBranch: 'feature',
        baseBranch: 'main',
        labels: [],
        url: null,
        createdAt: at,
        updatedAt: at,
        mergedAt: null,
        closedAt: null,
      },
      at,
    );
    for (const each of heads) await change!.recordHead({ ...each, forced: null });
    await change!.write(BY_SERVICE);
    return change!.pullRequest.id;
  });
}
const id = await open([
  { commit: first, baseCommit: base, mergeBase: base },
  { commit: head, baseCommit: base, mergeBase: base },
]);

type As = Parameters<typeof service.request>[2];
const get = (what: string, query: Record<string, string> = {}, as: As = { as: withSession(viewer) }) =>
  service.request('GET', `/api/v2/pull-requests/${id}/${what}?${new URLSearchParams(query)}`, as);
const put = (what: string, body: Record<string, unknown>, as: As = { as: withSession(viewer) }) =>
  service.request('PUT', `/api/v2/pull-requests/${id}/${what}`, { ...as, body });
const pathsOf = (body: { files: { path: string }[] }) => body.files.map(({ path }) => path);

describe('commits', () => {
  it('are those that the base lacks, oldest first', async () => {
    const { body, status } = await get('commits');
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toEqual({
      total: 2,
      approvalBlocked: null,
      authorIds: [],
      commits: [
        {
          commit: first,
          parents: [base],
          authorName: 'Fixture',
          authoredAt: expect.stringMatching(/Z$/),
          subject: 'First',
          body: 'Why.',
        },
        expect.objectContaining({ commit: head, parents: [first], subject: 'Second', body: '' }),
      ],
    });
  });

  it('are not ready until the head was fetched', async () => {
    const unfetched = await open([]);
    const { body, headers, status } = await service.request(
      'GET',
      `/api/v2/pull-requests/${unfetched}/commits`,
      {
        as: withSession(viewer),
      },
    );
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'repository_not_ready' });
    expect(headers.get('retry-after')).toBe('5');
  });

  it('start at the merge base when that is not known yet', async () => {
    const unknown = await open([
      { commit: head, baseCommit: await api.git('rev-parse', 'main'), mergeBase: null },
    ]);
    const { body } = await service.request('GET', `/api/v2/pull-requests/${unknown}/files`, {
      as: withSession(viewer),
    });
    expect(body).toMatchObject({ from: base, to: head, total: 4 });
  });
});

describe('files', () => {
  it('are those that changed since the merge base', async () => {
    const { body, status } = await get('files');
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ from: base, to: head, total: 4, added: 4, deleted: 2 });
    expect(body.files).toMatchObject([
      { path: 'src/b.ts', change: 'added', oldBlob: null, newBlob: expect.any(String) },
      { path: 'a.txt', oldPath: null, change: 'modified', kind: 'text', added: 1, deleted: 1, viewed: false },
      { path: 'new.txt', oldPath: 'old.txt', change: 'renamed', added: 1, deleted: 0, generated: false },
      { path: 'package-lock.json', generated: true },
    ]);
  });

  it('come with the differences of the first that the page shows', async () => {
    const { body } = await get('files');
    const diffs = ['src/b.ts', 'a.txt', 'new.txt'].map((path) =>
      get('files/diff', { path, ...(path === 'new.txt' && { oldPath: 'old.txt' }) }),
    );
    expect(body.firstDiffs).toEqual((await Promise.all(diffs)).map((reply) => reply.body));
    const many = Object.fromEntries(Array.from({ length: 6 }, (_, each) => [`${each}.txt`, 'x\n']));
    const to = await api.commit({ ...many, '1.txt': numbered(1001) }, { branch: 'many', from: base });
    const { firstDiffs } = (await get('files', { to })).body;
    expect(firstDiffs.map(({ path }: { path: string }) => path)).toEqual(['0.txt', '2.txt', '3.txt']);
  });

  it('are those between any two commits', async () => {
    const { body } = await get('files', { from: first, to: head });
    expect(pathsOf(body)).toEqual(['src/b.ts']);
    expect(pathsOf((await get('files', { from: head, to: first })).body)).toEqual(['src/b.ts']);
  });

  it('of a commit that the repository lacks are not found', async () => {
    const { body, status } = await get('files', { to: 'f'.repeat(40) });
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'ref_not_found' });
    expect((await get('files', { to: 'main' })).status).toBe(400);
    expect((await get('files', { from: '--output=x' })).status).toBe(400);
  });
});

describe('the diff of a file', () => {
  it('has hunks with the requested context', async () => {
    const { body, status } = await get('files/diff', { path: 'a.txt', context: '1' });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toEqual({
      path: 'a.txt',
      oldPath: null,
      kind: 'text',
      oldTotalLines: 20,
      newTotalLines: 20,
      truncated: false,
      hunks: [
        {
          oldStart: 9,
          oldLines: 3,
          newStart: 9,
          newLines: 3,
          heading: expect.any(String),
          lines: [' line 9', '-line 10', '+ten', ' line 11'],
        },
      ],
    });
    const whole = await get('files/diff', { path: 'a.txt', context: '100000' });
    expect(whole.body.hunks[0].lines).toHaveLength(21);
  });

  it('follows a rename, and is not found for a path that neither commit has', async () => {
    const { body } = await get('files/diff', { path: 'new.txt', oldPath: 'old.txt' });
    expect(body.hunks[0].lines.at(-1)).toBe('+more');
    for (const path of ['nowhere.txt', '../a.txt', '/a.txt', '-a', ':(top)a.txt']) {
      expect((await get('files/diff', { path })).body.code).toBe('not_found');
    }
    expect((await get('files/diff', { path: 'a.txt', context: '-1' })).status).toBe(400);
  });

  it('can ignore white space', async () => {
    const to = await api.commit({ 'src/b.ts': 'b  \n' }, { branch: 'spaces', from: head });
    const query = { path: 'src/b.ts', from: head, to };
    expect((await get('files/diff', query)).body.hunks).toHaveLength(1);
    expect((await get('files/diff', { ...query, ignoreWhitespace: 'true' })).body.hunks).toEqual([]);
  });
});

describe('a viewed file', () => {
  it('can have any path that the database can index', async () => {
    const path = randomBytes(1100).toString('hex');
    const mark = (length: number) =>
      put('viewed-files', { path: path.slice(0, length), blob: 'a'.repeat(40), viewed: true });
    expect((await mark(2000)).status).toBe(204);
    expect((await mark(2001)).status).toBe(400);
  });

  it('is marked for one person, until its content changes', async () => {
    const { newBlob } = (await get('files')).body.files[1];
    expect((await put('viewed-files', { path: 'a.txt', blob: newBlob, viewed: true })).status).toBe(204);
    expect((await get('files')).body.files[1].viewed).toBe(true);
    const others = await get('files', {}, { as: withSession(member) });
    expect(others.body.files[1].viewed).toBe(false);
    await put('viewed-files', { path: 'a.txt', blob: 'a'.repeat(40), viewed: true });
    expect((await get('files')).body.files[1].viewed).toBe(false);
    await put('viewed-files', { path: 'a.txt', blob: newBlob, viewed: true });
    await put('viewed-files', { path: 'a.txt', blob: newBlob, viewed: false });
    expect((await get('files')).body.files[1].viewed).toBe(false);
  });
});

describe('a head that a force-push replaced', () => {
  it('can be compared with the new one after pruning and garbage collection', async () => {
    const old = await api.commit({ 'c.txt': 'old\n' }, { branch: 'forced', from: base });
    await api.refresh();
    const pushed = await api.commit({ 'c.txt': 'new\n' }, { branch: 'forced', from: base });
    await open([
      { commit: old, baseCommit: base, mergeBase: base },
      { commit: pushed, baseCommit: base, mergeBase: base },
    ]);
    await api.refresh();
    for (const folder of [api.folder, service.mirrors.folderOf(api.id).gitDir]) {
      await runFixtureGit(folder, ['gc', '--quiet', '--prune=now']);
    }
    const { body } = await get('files/diff', { path: 'c.txt', from: old, to: pushed });
    expect(body.hunks[0].lines).toEqual(['-old', '+new']);
  });
});

describe('an approval', () => {
  const approve = (pullRequest: string, commit: string, person = owner) =>
    service.request('POST', `/api/v2/pull-requests/${pullRequest}/reviews`, {
      as: withSession(person),
      body: { verdict: 'approved', commit },
    });

  it('of a head that moved says who changed how much since', async () => {
    const { body, status } = await approve(id, first);
    expect([status, body.code]).toEqual([409, 'conflict']);
    expect(body.detail).toMatch(
      new RegExp(
        `^Since ${first.slice(0, 12)}, 1 new commit by .+ changed 1 file\\. Review ${head.slice(0, 12)} and try again\\.$`,
      ),
    );
    const never = await approve(id, base);
    expect([never.status, never.body.detail]).toEqual([
      409,
      `The newest commit is not ${base.slice(0, 12)}. Review ${head.slice(0, 12)} and try again.`,
    ]);
    expect((await approve(id, head)).body.verdict).toBe('approved');
  });

  it('403: by anyone who wrote or committed a part of it, under any of their addresses', async () => {
    await makeHostAccount(service, acme.id, { name: 'Octo', linkedTo: owner });
    const cases = [
      [admin, admin.email.toUpperCase(), owner],
      [owner, 'octo@users.noreply.git.example', admin],
    ] as const;
    for (const [person, email, another] of cases) {
      const branch = `by-${person.userId}`;
      const author = { name: 'Somebody', email };
      const theirs = await api.commit({ 'mine.txt': email }, { branch, from: base, author });
      const last = await api.commit({ 'other.txt': 'x' }, { branch });
      await api.refresh();
      const pullRequest = await open([{ commit: last, baseCommit: base, mergeBase: base }]);
      const { body, status } = await approve(pullRequest, last, person);
      expect([status, body.detail]).toEqual([
        403,
        `You wrote commit ${theirs.slice(0, 12)} of this pull request; someone else has to approve it.`,
      ]);
      const blockedFor = async (one: Person) =>
        (
          await service.request('GET', `/api/v2/pull-requests/${pullRequest}/commits`, {
            as: withSession(one),
          })
        ).body.approvalBlocked;
      expect(await blockedFor(person)).toBe(body.detail);
      expect(await blockedFor(another)).toBeNull();
      const changes = { verdict: 'changes_requested', note: 'Not yet.', commit: last };
      const path = `/api/v2/pull-requests/${pullRequest}/reviews`;
      const requested = await service.request('POST', path, { as: withSession(person), body: changes });
      expect(requested.status).toBe(200);
      expect((await approve(pullRequest, last, another)).status).toBe(200);
    }
  });
});

describe('approving what one co-wrote', () => {
  it.each([
    ['Co-authored-by: Bob <bob@acme.example>\nco-authored-by: Admin <%s>', 403],
    ['Co-authored-by: Admin\n  <%s>\nSigned-off-by: Bob <bob@acme.example>', 403],
    ['Signed-off-by: Admin <%s>', 200],
    ['Thanks to <%s>.', 200],
  ])('%j: %i', async (trailers, expected) => {
    const branch = `co-wrote-${randomBytes(4).toString('hex')}`;
    const message = `Change it\n\nWhy.\n\n${trailers.replace('%s', admin.email.toUpperCase())}\n`;
    const commit = await api.commit({ 'together.txt': branch }, { branch, from: base, message });
    await api.refresh();
    const pullRequest = await open([{ commit, baseCommit: base, mergeBase: base }]);
    const { body, status } = await service.request('POST', `/api/v2/pull-requests/${pullRequest}/reviews`, {
      as: withSession(admin),
      body: { verdict: 'approved', commit },
    });
    expect(status).toBe(expected);
    if (status === 403) expect(body.detail).toMatch(`You co-wrote commit ${commit.slice(0, 12)} of this`);
  });
});

describe('approving after the email address was changed', () => {
  it('403: what was written under the address before stays theirs', async () => {
    const { email } = admin;
    const author = { name: 'Somebody', email };
    const branch = 'before-the-change';
    const theirs = await api.commit({ 'mine.txt': 'x' }, { branch, from: base, author });
    await api.refresh();
    const pullRequest = await open([{ commit: theirs, baseCommit: base, mergeBase: base }]);
    // Two changes: every address counts.
    for (const next of ['second@acme.example', 'third@acme.example']) {
      const body = { email: next, currentPassword: PASSWORD };
      const changed = await service.request('PATCH', '/api/v2/profile', { as: withSession(admin), body });
      expect(changed.status).toBe(200);
    }
    const path = `/api/v2/pull-requests/${pullRequest}/reviews`;
    const body = { verdict: 'approved', commit: theirs };
    expect((await service.request('POST', path, { as: withSession(admin), body })).status).toBe(403);
    expect((await service.request('POST', path, { as: withSession(owner), body })).status).toBe(200);
  });
});

describe('the last seen head', () => {
  it('is a head of this pull request', async () => {
    const seen = () =>
      db.selectFrom('pull_request_last_seen_heads').select(['user_id', 'head_commit']).execute();
    expect((await put('last-seen-head', { head: first })).status).toBe(204);
    expect((await put('last-seen-head', { head })).status).toBe(204);
    expect(await seen()).toEqual([{ user_id: viewer.userId, head_commit: head }]);
    expect((await put('last-seen-head', { head: base })).body).toMatchObject({ code: 'invalid_request' });
  });
});

describe('what the caller may not see', () => {
  it('is not found, for every operation', async () => {
    await db.updateTable('repositories').set({ visibility: 'members' }).where('id', '=', api.id).execute();
    const people = [globex.admin, member];
    for (const person of people) {
      const as = { as: withSession(person) };
      const replies = [
        await get('commits', {}, as),
        await get('files', {}, as),
        await get('files/diff', { path: 'a.txt' }, as),
        await put('viewed-files', { path: 'a.txt', blob: 'a'.repeat(40), viewed: true }, as),
        await put('last-seen-head', { head }, as),
      ];
      expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    }
    expect((await get('files', {}, { as: withSession(admin) })).status).toBe(200);
    expect((await get('files', {}, { as: withKey(admin) })).status).toBe(403);
  });
});
