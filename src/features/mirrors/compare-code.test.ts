/** Comparing commits through the code reader: on this node's mirror, fetched first when it lacks one of them. */
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/helpers/database/database.ts';
import {
  type FixtureFiles,
  type FixtureRepository,
  makeRepository,
  runFixtureGit,
} from '../../../test/helpers/git/git-fixtures.ts';
import { startTestMirrors } from '../../../test/helpers/git/mirrors.ts';
import { makeOrganization } from '../../../test/helpers/service/factories.ts';
import { testSecrets } from '../../../test/helpers/service/secrets.ts';
import { openDatabase } from '../../platform/db/index.ts';
import { createRepository } from '../repositories/index.ts';
import type { NodeCode } from './index.ts';

const database = await openDatabase(await createTestDatabase(), {
  poolSize: 5,
  onConnectionLost: () => undefined,
});
const { db } = database;
const acme = await makeOrganization(db, 'Acme', new Date());
const node = startTestMirrors({ db });
const never = new AbortController().signal;
const call = { caller: { organizationId: acme.id, userId: acme.id, credentialId: 'a key' }, signal: never };
const fixtures: FixtureRepository[] = [];
afterAll(async () => {
  await Promise.all(fixtures.map((fixture) => fixture.remove()));
  await database.close();
});

async function add(files: FixtureFiles): Promise<{ id: string; origin: FixtureRepository; first: string }> {
  const origin = await makeRepository(files);
  fixtures.push(origin);
  const who = {
    organizationId: acme.id,
    kind: 'operator',
    userId: null,
    address: null,
    requestId: null,
  } as const;
  const id = await createRepository(
    db,
    testSecrets,
    {
      name: `acme/r${fixtures.length}`,
      url: origin.folder,
      credential: null,
      visibility: 'organization',
      memberIds: [],
      addedByOperator: true,
    },
    { ...who, at: new Date() },
  );
  return { id, origin, first: await origin.git('rev-parse', 'main') };
}
const refresh = (id: string, by: NodeCode = node) => by.refresh(id, { onlyWhenDue: false, signal: never });
const codeOf = (error: unknown) => (error as { code?: string }).code;

describe('comparing', () => {
  it('fetches a commit that this node lacks, and says so when the origin lacks it too', async () => {
    const { first, id, origin } = await add({ 'a.txt': 'a\n' });
    await refresh(id);
    const second = await origin.commit({ 'a.txt': 'b\n' });
    const list = await node.code.compare('listChanges', id, { from: first, to: second, limit: 10 }, call);
    expect(list).toMatchObject({ total: 1, added: 1, deleted: 1, files: [{ path: 'a.txt' }] });
    const unknown = { from: first, to: 'f'.repeat(40) };
    await expect(node.code.compare('mergeBase', id, unknown, call)).rejects.toSatisfy(
      (error) => codeOf(error) === 'ref_not_found',
    );
    await origin.remove();
    await expect(
      node.code.compare('mergeBase', id, { from: first, to: 'e'.repeat(40) }, call),
    ).rejects.toSatisfy((error) => codeOf(error) === 'repository_not_ready');
  });

  it('answers every kind of request', async () => {
    const { first, id, origin } = await add({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' });
    const to = await origin.commit({ 'a.txt': 'one\n2\nthree\n', 'b.txt': null, 'c.txt': 'c\n' });
    const pair = { from: first, to };
    const { compare } = node.code;
    expect(await compare('mergeBase', id, pair, call)).toBe(first);
    expect(await compare('isAncestor', id, pair, call)).toBe(true);
    expect(await compare('listCommits', id, { ...pair, limit: 5 }, call)).toMatchObject({ total: 1 });
    const bases = { fromBase: first, toBase: first };
    expect(await compare('isSameChange', id, { from: to, to, ...bases }, call)).toBe(true);
    expect(await compare('findMerge', id, { from: to, to: first }, call)).toEqual({ how: 'contained' });
    expect(await compare('hunks', id, { ...pair, paths: ['a.txt'] }, call)).toMatchObject([
      { path: 'a.txt', hunks: [{ oldStart: 2, oldLines: 1, removed: ['two'], added: ['2'] }] },
      { oldPath: 'b.txt', path: null },
      { oldPath: null, path: 'c.txt' },
    ]);
    expect(await compare('hunks', id, { ...pair, paths: ['untouched.txt'] }, call)).toEqual([]);
    const files = ['a.txt', 'b.txt', 'c.txt'].map((path) => ({ commit: to, path }));
    expect(await node.code.readTexts(id, { files, maxBytes: 12 }, call)).toEqual([
      { kind: 'text', text: 'one\n2\nthree\n' },
      { kind: 'no_path' },
      { kind: 'too_large' },
    ]);
  });

  it('reads only the files in question when thousands changed', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 3001 }, (_, index) => [`many/${index}`, `${index}\n`]),
    );
    const text = 'one\ntwo\nthree\nfour\n';
    const { first, id, origin } = await add({ 'a.txt': 'a\n', 'old name.txt': text });
    const changes = { ...many, 'old name.txt': null, 'new.txt': `zero\n${text}`, 'other.txt': 'x\n' };
    const to = await origin.commit(changes);
    const params = { from: first, to, paths: ['a.txt', 'old name.txt'] };
    expect(await node.code.compare('hunks', id, params, call)).toMatchObject([
      { oldPath: 'old name.txt', path: 'new.txt', hunks: [{ newStart: 1, added: ['zero'] }] },
    ]);
  });

  it('shows the difference of files of every kind', async () => {
    const { first, id, origin } = await add({
      'moved.txt': 'one\ntwo\n',
      'deleted.txt': 'x\ny',
      'large.txt': 'small\n',
      binary: 'text\n',
      link: { symlink: 'a' },
      module: { submodule: '1'.repeat(40) },
    });
    const to = await origin.commit([
      ['moved.txt', null],
      ['deleted.txt', null],
      ['here.txt', 'one\n2\n'],
      ['large.txt', Buffer.alloc(17 * 1024 * 1024, 'a\n')],
      ['binary', Buffer.from([0])],
      ['link', { symlink: 'b' }],
      ['module', { submodule: '2'.repeat(40) }],
    ]);
    const diff = (path: string, oldPath?: string) =>
      node.code.compare(
        'fileDiff',
        id,
        { from: first, to, path, oldPath, context: 3, ignoreWhitespace: false },
        call,
      );
    expect(await diff('here.txt', 'moved.txt')).toMatchObject({
      kind: 'text',
      oldTotalLines: 2,
      newTotalLines: 2,
      hunks: [{ lines: [' one', '-two', '+2'] }],
    });
    expect(await diff('here.txt')).toMatchObject({
      oldTotalLines: null,
      hunks: [{ oldLines: 0, newLines: 2 }],
    });
    expect(await diff('deleted.txt')).toMatchObject({
      newTotalLines: null,
      hunks: [{ lines: ['-x', '-y', '\\ No newline at end of file'] }],
    });
    expect(await diff('large.txt')).toMatchObject({ kind: 'too_large', hunks: [] });
    expect(await diff('binary')).toMatchObject({ kind: 'binary', hunks: [] });
    expect(await diff('link')).toMatchObject({ kind: 'symlink', hunks: [{ oldLines: 1 }, { newLines: 1 }] });
    expect(await diff('module')).toMatchObject({
      kind: 'submodule',
      hunks: [{ lines: [`-Subproject commit ${'1'.repeat(40)}`] }, { lines: [expect.stringContaining('+')] }],
    });
    expect(await diff('nowhere')).toEqual({ kind: 'no_path' });
    expect(await diff('../../etc/passwd')).toEqual({ kind: 'no_path' });
  });
});

describe('a kept commit', () => {
  const kept = new Map<string, string[]>();
  const keeping = () => startTestMirrors({ db, keptCommits: async (_, id) => kept.get(id) ?? [] });
  const refsIn = async (by: NodeCode, id: string) =>
    (await runFixtureGit(by.folderOf(id).gitDir, ['for-each-ref', '--format=%(refname)']))
      .toString()
      .split('\n');
  const rowOf = (id: string) =>
    db
      .selectFrom('repositories')
      .select(['branch_count', 'tag_count', 'refs_digest'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  it('survives a force-push, pruning and garbage collection, on every node', async () => {
    const { first, id, origin } = await add({ 'a.txt': 'a\n' });
    const old = await origin.commit({ 'a.txt': 'old\n' }, { branch: 'feature', from: first });
    const [keeper, forgetful] = [keeping(), startTestMirrors({ db })];
    await refresh(id, keeper);
    await forgetful.sync(id, { signal: never });
    const head = await origin.commit({ 'a.txt': 'new\n' }, { branch: 'feature', from: first });
    kept.set(id, [old, 'f'.repeat(40), '--upload-pack=x']);
    await refresh(id, keeper);
    await forgetful.sync(id, { signal: never });
    const before = await rowOf(id);
    await refresh(id, startTestMirrors({ db }));
    expect(await rowOf(id)).toEqual(before);
    expect(before).toMatchObject({ branch_count: 2, tag_count: 0 });
    // A node that never had it asks the origin, where no branch has it anymore.
    const late = keeping();
    await refresh(id, late);
    const pair = { from: old, to: head, limit: 5 };
    for (const by of [keeper, forgetful, late]) {
      await runFixtureGit(by.folderOf(id).gitDir, ['gc', '--quiet', '--prune=now']);
    }
    for (const by of [keeper, late]) {
      expect(await by.code.compare('listChanges', id, pair, call)).toMatchObject({ total: 1 });
      expect(await refsIn(by, id)).toContain(`refs/countersign/heads/${old}`);
    }
    await origin.git('gc', '--quiet', '--prune=now');
    await expect(forgetful.code.compare('listChanges', id, pair, call)).rejects.toSatisfy(
      (error) => codeOf(error) === 'ref_not_found',
    );
  });

  it('of a code host comes from the refs of its pull requests, which are no branches', async () => {
    const { first, id, origin } = await add({ 'a.txt': 'a\n' });
    const fork = await origin.commit({ 'a.txt': 'fork\n' }, { branch: 'fork', from: first });
    await origin.git('update-ref', 'refs/pull/7/head', fork);
    await origin.git('update-ref', 'refs/pull/7/merge', fork);
    await origin.git('update-ref', '-d', 'refs/heads/fork');
    const host = randomUUID();
    const at = new Date();
    await db
      .insertInto('code_hosts')
      .values({
        id: host,
        organization_id: acme.id,
        kind: 'gitea',
        url: 'https://x',
        created_at: at,
        updated_at: at,
      })
      .execute();
    await db.updateTable('repositories').set({ code_host_id: host }).where('id', '=', id).execute();
    await refresh(id);
    expect(await refsIn(node, id)).toEqual(['refs/heads/main', 'refs/pull/7/head', '']);
    expect(await node.code.compare('isAncestor', id, { from: first, to: fork }, call)).toBe(true);
    expect(await rowOf(id)).toMatchObject({ branch_count: 1, tag_count: 0 });
    await origin.git('update-ref', '-d', 'refs/pull/7/head');
    await refresh(id);
    expect(await refsIn(node, id)).toEqual(['refs/heads/main', '']);
  });
});
