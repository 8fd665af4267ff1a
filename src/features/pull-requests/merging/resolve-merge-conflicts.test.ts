/** Resolving conflicts with real git: what is written, two people at once, branches that moved, and conflicts that can't be resolved here. */
import { expect, it } from 'vitest';
import { type Opened, startMerging } from '../../../../test/helpers/rows/mergeable.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';

const service = await startTestService({
  settings: { ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme, db, globex } = service;
const { admin, member, owner, viewer } = acme;
const { follow, kinds, open, read, repository, request, setHook } = await startMerging(service);
const { git } = repository;

type Hunk = { take: string; text?: string };
type Files = Record<string, Hunk[]>;
const list = (id: string, as = member) => request('GET', `${id}/merge-conflicts`, as);
const resolve = async (
  id: string,
  files: Files,
  { as = member, ...seen }: { as?: typeof member } & object = {},
) => {
  const { base, head } = (await list(id)).body;
  const resolved = Object.entries(files).map(([path, hunks]) => ({ path, hunks }));
  return request('POST', `${id}/resolve-conflicts`, as, { base, head, ...seen, files: resolved });
};
const content = (ref: string, path: string) => git('cat-file', '-p', `${ref}:${path}`);
const recorded = ({ id }: Opened) =>
  db.selectFrom('own_pushes').select('id').where('pull_request_id', '=', id).execute();

type FileContents = Parameters<typeof repository.commit>[0];
async function clash(branch: string, [before, here, there]: [FileContents, FileContents, FileContents]) {
  await repository.commit(before, { branch: 'main' });
  await follow();
  const opened = await open(branch, { approved: false, files: here as Record<string, string> });
  const base = await repository.commit(there, { branch: 'main' });
  await follow();
  expect(await read(opened.id)).toMatchObject({ mergeability: 'conflicts' });
  return { ...opened, base };
}

const numbered = (...changed: [number, string][]) => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  for (const [line, text] of changed) lines[line - 1] = text;
  return `${lines.join('\n')}\n`;
};

it('makes one merge commit of whoever resolves it first, byte by byte, who can’t approve afterward', async () => {
  const opened = await clash('clash', [
    {
      'n.txt': numbered(),
      'crlf.txt': 'one\r\ntwo\r\n',
      'run.sh': { executable: 'a\n' },
      'other.txt': 'x\n',
    },
    {
      'n.txt': numbered([2, 'héad two'], [10, 'head ten'], [18, 'head 18']),
      'crlf.txt': 'one\r\nhead\r\n',
      'run.sh': { executable: 'head\n' },
    },
    {
      'n.txt': numbered([2, 'base two'], [10, 'base ten'], [18, 'base 18']),
      'crlf.txt': 'one\r\nbase\r\n',
      'run.sh': { executable: 'base\n' },
      'other.txt': 'y\n',
    },
  ]);
  const { base, head, id } = opened;
  expect((await list(id, viewer)).status).toBe(403);
  expect((await list(id, globex.member)).status).toBe(404);
  const { body } = await list(id);
  const same = { kind: 'content', problem: null };
  expect(body).toMatchObject({ head, base, total: 3, blocked: null });
  expect(body.files).toMatchObject([
    { ...same, path: 'crlf.txt', hunks: [{ before: ['one'], head: 'head\n', base: 'base\n', after: [] }] },
    { ...same, path: 'n.txt' },
    { ...same, path: 'run.sh', hunks: [{ head: 'head\n', base: 'base\n' }] },
  ]);
  const [first] = body.files[1].hunks;
  expect(first).toEqual({
    ...{ before: ['line 1'], head: 'héad two\n', base: 'base two\n' },
    after: ['line 3', 'line 4', 'line 5'],
  });

  const files: Files = {
    'n.txt': [{ take: 'both' }, { take: 'base' }, { take: 'text', text: 'neither\r\nof both ü' }],
    'crlf.txt': [{ take: 'text', text: 'both\nof them\n' }],
    'run.sh': [{ take: 'head' }],
  };
  expect((await resolve(id, files, { as: viewer })).status).toBe(403);
  expect((await resolve(id, files, { as: globex.member })).status).toBe(404);
  const replies = await Promise.all([resolve(id, files, { as: admin }), resolve(id, files, { as: owner })]);
  expect(replies.map(({ status }) => status).sort(), JSON.stringify(replies)).toEqual([200, 409]);
  const { commit } = replies.find(({ status }) => status === 200)!.body;
  expect(await git('rev-parse', 'clash', 'clash^1', 'clash^2')).toBe([commit, head, base].join('\n'));
  expect(await git('log', '-1', '--format=%s', 'clash')).toBe("Merge branch 'main' into clash");
  const merged = numbered([10, 'base ten'], [18, 'neither\nof both ü']);
  expect(`${await content('clash', 'n.txt')}\n`).toBe(merged.replace('line 2\n', 'héad two\nbase two\n'));
  expect(await content('clash', 'crlf.txt')).toBe('one\r\nboth\r\nof them');
  expect(await git('ls-tree', 'clash', 'run.sh')).toContain('100755');
  expect(await content('clash', 'other.txt')).toBe('y');

  await follow();
  expect(await read(id)).toMatchObject({ headCommit: commit, mergeability: 'clean', conflicts: null });
  const by = replies[0]!.status === 200 ? admin : owner;
  const { events } = (await request('GET', `${id}/activity`, member)).body;
  const pushed = events.find(({ kind }: { kind: string }) => kind === 'pull_request_pushed');
  expect(pushed).toMatchObject({ actor: { id: by.userId }, data: { headCommit: commit } });
  // Whatever address the commit has.
  await db.updateTable('users').set({ email: 'new@acme.example' }).where('id', '=', by.userId).execute();
  const verdict = { verdict: 'approved', commit };
  expect((await request('POST', `${id}/reviews`, by, verdict)).status).toBe(403);
  const other = by === admin ? owner : admin;
  expect((await request('POST', `${id}/reviews`, other, verdict)).status).toBe(200);
  expect((await list(id)).body).toMatchObject({ total: 0, files: [] });
});

it('writes nothing if a branch moved, something is left, or something else is changed', async () => {
  const opened = await clash('stale', [
    { 's.txt': numbered(), 't.txt': 'a\n' },
    { 's.txt': numbered([5, 'head']), 't.txt': 'head\n' },
    { 's.txt': numbered([5, 'base']), 't.txt': 'base\n' },
  ]);
  const { base, head, id } = opened;
  const all: Files = { 's.txt': [{ take: 'head' }], 't.txt': [{ take: 'head' }] };
  const detail = async (files: Files, seen: object = {}) => (await resolve(id, files, seen)).body.detail;
  expect(await detail(all, { head: base })).toContain('New commits were pushed to the branch.');
  expect(await detail(all, { base: head })).toContain('New commits were pushed to the base branch.');
  expect(await detail({ 's.txt': [{ take: 'head' }] })).toContain('Not all conflicts are resolved');
  expect(await detail({ ...all, 't.txt': [{ take: 'head' }, { take: 'head' }] })).toContain(': t.txt.');
  expect(await detail({ ...all, 'a.txt': [{ take: 'head' }] })).toContain(': a.txt.');
  const left = await resolve(id, { ...all, 't.txt': [{ take: 'text', text: 'x\n<<<<<<< HEAD\ny\n' }] });
  expect([left.status, left.body.errors]).toEqual([
    400,
    [{ path: 'files[1].hunks[0].text', message: 'has conflict markers left, in t.txt' }],
  ]);
  expect((await resolve(id, { ...all, 't.txt': [{ take: 'text' }] })).status).toBe(400);
  const twice = [...Object.entries(all), ['s.txt', [{ take: 'base' }]]];
  const files = twice.map(([path, hunks]) => ({ path, hunks }));
  const repeated = await request('POST', `${id}/resolve-conflicts`, member, { base, head, files });
  expect([repeated.status, repeated.body.errors]).toEqual([
    400,
    [{ path: 'files[2].path', message: 'is the same file as files[0]' }],
  ]);
  await setHook('echo "Freeze until Monday."; exit 1');
  expect(await detail(all)).toContain('Freeze until Monday.');
  await setHook('exit 0');
  expect([await git('rev-parse', 'stale'), await recorded(opened)]).toEqual([head, []]);

  // Pushes that nobody fetched yet: the one to the head loses the lease, the one to the base is merged later.
  const moved = await repository.commit({ 'u.txt': 'u\n' }, { branch: 'stale' });
  expect(await detail(all)).toContain('stale moved meanwhile');
  expect([await git('rev-parse', 'stale'), await recorded(opened)]).toEqual([moved, []]);
  await follow();
  expect((await resolve(id, { ...all, 't.txt': [{ take: 'text', text: 'Title\n=======\n' }] })).status).toBe(
    200,
  );
  expect(await content('stale', 't.txt')).toBe('Title\n=======');
  await follow();
  expect((await kinds(id)).slice(0, 3)).toContain('pull_request_conflicts_resolved');
  await request('PATCH', id, member, { state: 'closed' });
  expect((await list(id)).body.detail).toContain('while the pull request is open');
});

it('gives exactly the side that was taken: the end of the file, its mode, and the line breaks of the head', async () => {
  const opened = await clash('exact', [
    { 'open.txt': 'a\nb', 'open both.txt': 'a\nb', 'open text.txt': 'a\nb', 'breaks.txt': 'a\r\nb\r\n' },
    {
      ...{ 'open.txt': 'a\nhead', 'open both.txt': 'a\nhead', 'open text.txt': 'a\nhead' },
      ...{ 'breaks.txt': 'a\r\nhead\r\n', 'mode.sh': { executable: 'head\n' } },
    },
    {
      ...{ 'open.txt': 'a\nbase\n', 'open both.txt': 'a\nbase', 'open text.txt': 'a\nbase' },
      ...{ 'breaks.txt': 'a\nbase\n', 'mode.sh': 'base\n' },
    },
  ]);
  const shown = (await list(opened.id)).body.files.find(({ path }: { path: string }) => path === 'open.txt');
  expect(shown.hunks).toMatchObject([{ head: 'head', base: 'base\n' }]);
  const resolved = await resolve(opened.id, {
    'open.txt': [{ take: 'head' }],
    'open both.txt': [{ take: 'both' }],
    'open text.txt': [{ take: 'text', text: 'x\ny' }],
    'breaks.txt': [{ take: 'text', text: 'a\nboth\n' }],
    'mode.sh': [{ take: 'base' }],
  });
  expect(resolved.status, JSON.stringify(resolved.body)).toBe(200);
  const size = async (path: string) => Number(await git('cat-file', '-s', `exact:${path}`));
  expect([await content('exact', 'open.txt'), await size('open.txt')]).toEqual(['a\nhead', 6]);
  expect([await content('exact', 'open both.txt'), await size('open both.txt')]).toEqual([
    'a\nhead\nbase',
    11,
  ]);
  expect([await content('exact', 'open text.txt'), await size('open text.txt')]).toEqual(['a\nx\ny', 5]);
  expect([await content('exact', 'breaks.txt'), await size('breaks.txt')]).toEqual(['a\r\nboth', 9]);
  expect(await git('ls-tree', 'exact', 'mode.sh')).toContain('100644');
});

it('names what can’t be resolved here, and protected branches', async () => {
  const binary = (text: string) => Buffer.from(`\0${text}\0`);
  const short = (text: string) => `${text}\n`.repeat(30_000);
  const opened = await clash('kinds', [
    {
      'p.bin': binary('a'),
      'gone.txt': 'a\n',
      'text.txt': 'a\n',
      'latin.txt': Buffer.from('caf\xe9\n', 'latin1'),
      'long.txt': 'a\n',
      'short.txt': 'a\n',
    },
    {
      ...{ 'p.bin': binary('head'), 'gone.txt': 'head\n', 'text.txt': 'head\n' },
      'latin.txt': Buffer.from('th\xe9\n', 'latin1'),
      'long.txt': `head\n${'x'.repeat(1024 * 1024)}\n`,
      'short.txt': short('h'),
    },
    {
      ...{ 'p.bin': binary('base'), 'gone.txt': null, 'text.txt': 'base\n', 'latin.txt': 'tea\n' },
      'long.txt': 'base\n',
      'short.txt': short('b'),
    },
  ]);
  const { head, id } = opened;
  const { files } = (await list(id)).body;
  expect(files.map(({ kind, path, problem }: Record<string, string>) => [path, kind, problem])).toEqual([
    ['gone.txt', 'deleted_in_base', 'kind'],
    ['latin.txt', 'content', 'not_text'],
    ['long.txt', 'content', 'too_large'],
    ['p.bin', 'binary', 'kind'],
    // More lines than anybody reads here.
    ['short.txt', 'content', 'too_large'],
    ['text.txt', 'content', 'too_large'],
  ]);
  const taken = Object.fromEntries(files.map(({ path }: { path: string }) => [path, [{ take: 'head' }]]));
  const refused = await resolve(id, taken);
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    expect.stringContaining(': gone.txt, long.txt, p.bin.'),
  ]);
  const rule = { as: withSession(admin), body: { pattern: 'kinds', approvals: 1 } };
  expect((await service.request('PUT', '/api/v2/merge-rules', rule)).status).toBe(200);
  expect((await list(id)).body.blocked).toContain('only merges move it');
  expect((await resolve(id, taken)).body.detail).toContain('only merges move it');
  expect([await git('rev-parse', 'kinds'), await recorded(opened)]).toEqual([head, []]);
});
