/** Refreshing mirrors of real origins: what is recorded for all nodes, how failures are handled, and how nodes take turns. */
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { runFixtureGit } from '../../../test/helpers/git/git-fixtures.ts';
import { startMirroredOrigins } from '../../../test/helpers/git/mirrored-origins.ts';
import { startTestMirrors } from '../../../test/helpers/git/mirrors.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';

const {
  dataDir,
  db,
  lines,
  mirrors,
  never,
  add,
  hang,
  holdLock,
  origin,
  refresh,
  refsOf,
  rowOf,
  secondsToNext,
  serve,
} = await startMirroredOrigins();

describe('a refresh', () => {
  it('records the origin’s refs and the time of the next refresh', async () => {
    const fixture = await origin();
    const side = await fixture.commit({ 'b.txt': 'b\n' }, { branch: 'side/branch' });
    await fixture.git('tag', '-a', '-m', 'One', 'v1', 'main');
    await fixture.git('tag', 'tree', 'main^{tree}');
    const main = await fixture.git('rev-parse', 'main');
    const unreadable = Buffer.from(`create refs/heads/caf\xe9 ${main}\n`, 'latin1');
    await runFixtureGit(fixture.folder, ['update-ref', '--stdin'], unreadable);
    const id = await add((await serve(fixture)).repository);
    expect(await refresh(id)).toEqual({ kind: 'refreshed' });
    expect(await rowOf(id)).toMatchObject({
      state: 'ready',
      head_commit: main,
      default_branch: 'main',
      object_format: 'sha1',
      branch_count: 2,
      tag_count: 1,
      problem: null,
      failures: 0,
      activity: null,
      busy_until: null,
      refresh_token: null,
    });
    expect(await refsOf(id)).toEqual({ 'branch main': main, 'branch side/branch': side, 'tag v1': main });
    const seconds = await secondsToNext(id);
    expect([seconds > 265, seconds < 331]).toEqual([true, true]);
    const notes = () => lines.filter((line) => line.includes(id) && line.includes('are not listed'));
    expect(notes(), 'the branch whose name is not UTF-8').toEqual([expect.stringContaining('"leftOut":1')]);
    await refresh(id);
    expect(notes(), 'once, until refs change').toHaveLength(1);
    expect(existsSync(join(mirrors.folderOf(id).gitDir, 'HEAD'))).toBe(true);
  });

  it('follows force-pushes, deleted branches and tags, and a changed default branch', async () => {
    const fixture = await origin();
    await fixture.commit({ 'b.txt': 'b\n' }, { branch: 'gone' });
    await fixture.git('tag', 'v1', 'main');
    const id = await add(fixture.folder);
    await refresh(id);
    const forced = await fixture.commit({ 'c.txt': 'c\n' }, { from: null });
    await fixture.git('branch', '-m', 'main', 'trunk');
    await fixture.git('symbolic-ref', 'HEAD', 'refs/heads/trunk');
    await fixture.git('branch', '-D', 'gone');
    await fixture.git('tag', '-d', 'v1');
    expect(await refresh(id)).toEqual({ kind: 'refreshed' });
    expect(await refsOf(id)).toEqual({ 'branch trunk': forced });
    expect(await rowOf(id)).toMatchObject({
      default_branch: 'trunk',
      head_commit: forced,
      branch_count: 1,
      tag_count: 0,
    });
  });

  it('supports empty repositories and SHA-256', async () => {
    const empty = await add((await origin({})).folder);
    expect(await refresh(empty)).toEqual({ kind: 'refreshed' });
    expect(await rowOf(empty)).toMatchObject({
      state: 'ready',
      head_commit: null,
      default_branch: null,
      branch_count: 0,
    });
    const long = await add((await origin(undefined, { objectFormat: 'sha256' })).folder);
    await refresh(long);
    const row = await rowOf(long);
    expect([row.state, row.object_format, row.head_commit?.length]).toEqual(['ready', 'sha256', 64]);
  });

  it('from another URL keeps nothing of the old repository', async () => {
    const first = await origin({ 'old.txt': 'old\n' });
    const id = await add(first.folder);
    await refresh(id);
    await writeFile(join(mirrors.folderOf(id).indexFolder, 'old'), 'of the old one');
    const second = await origin({ 'new.txt': 'new\n' }, { objectFormat: 'sha256' });
    await db.updateTable('repositories').set({ url: second.folder }).where('id', '=', id).execute();
    expect(await refresh(id)).toEqual({ kind: 'refreshed' });
    expect(await rowOf(id)).toMatchObject({
      object_format: 'sha256',
      head_commit: await second.git('rev-parse', 'main'),
    });
    expect((await readdir(join(dataDir, 'repositories', id))).sort()).toEqual(['index', 'mirror.git']);
    expect(await readdir(mirrors.folderOf(id).indexFolder)).not.toContain('old');
  });

  it('shows progress while it runs, and none afterwards', async () => {
    const fixture = await origin();
    const server = await serve(fixture);
    const reached = hang(server);
    const id = await add(server.repository);
    const work = refresh(id);
    await reached;
    const during = await rowOf(id);
    expect(during).toMatchObject({ state: 'cloning', activity: { phase: 'connecting' } });
    expect(during.busy_until!.getTime()).toBeGreaterThan(during.refresh_started_at!.getTime());
    server.intercept(null);
    await server.close();
    expect(await work).toMatchObject({ kind: 'failed' });
    expect(await rowOf(id)).toMatchObject({ activity: null, state: 'failed' });
  });

  it('passes the branch heads to the index, and succeeds even if indexing fails', async () => {
    const fixture = await origin();
    const side = await fixture.commit({ 'b.txt': 'b\n' }, { branch: 'a-side' });
    await fixture.git('tag', 'v1', 'main');
    const main = await fixture.git('rev-parse', 'main');
    const handed: string[][] = [];
    const indexing = startTestMirrors({
      db,
      async index(repositoryId, commits, onProgress) {
        handed.push(commits);
        onProgress({ percent: 50, objects: 1, totalObjects: 2, bytes: 3 });
        expect((await rowOf(repositoryId)).state).toBe('ready');
        throw new Error('no index today');
      },
    });
    const id = await add(fixture.folder);
    expect(await refresh(id, indexing)).toEqual({ kind: 'refreshed' });
    expect(handed).toEqual([[main, side]]);
    expect((await rowOf(id)).problem).toBeNull();
  });

  it('that is requested during another runs right after it', async () => {
    const fixture = await origin();
    const server = await serve(fixture);
    const id = await add(server.repository);
    const asked = startTestMirrors({
      db,
      index: async () => {
        await sql`UPDATE repositories SET refresh_asked_at = clock_timestamp(), next_refresh_at = clock_timestamp()
          WHERE id = ${id}`.execute(db);
      },
    });
    await refresh(id, asked);
    expect(await secondsToNext(id)).toBeLessThanOrEqual(0);
    expect(await mirrors.refresh(id, { onlyWhenDue: true, signal: never })).toEqual({ kind: 'refreshed' });
    expect(await mirrors.refresh(id, { onlyWhenDue: true, signal: never })).toEqual({ kind: 'not_taken' });
  });
});

describe('a failure', () => {
  it('is recorded as a message without the credential, and retried with backoff', async () => {
    const server = await serve(await origin(), 'right-password');
    const credential = { kind: 'password' as const, password: 'wrong-password-xyz' };
    const id = await add(server.repository, { credential });
    const outcome = await refresh(id);
    expect(outcome).toMatchObject({
      kind: 'failed',
      problem: expect.stringContaining('Authentication failed'),
    });
    const row = await rowOf(id);
    expect(row).toMatchObject({ state: 'failed', failures: 1, activity: null, busy_until: null });
    expect(server.requests.some(({ authorization }) => authorization !== undefined)).toBe(true);
    const delays = [await secondsToNext(id)];
    await refresh(id);
    delays.push(await secondsToNext(id));
    expect(delays.map((seconds) => Math.round(seconds / 60))).toEqual([1, 2]);
    expect(`${JSON.stringify(await rowOf(id))}${lines.join('')}`).not.toContain('wrong-password');
  });

  it('of a cloned repository keeps it ready, and the next success clears it', async () => {
    const fixture = await origin();
    const id = await add(fixture.folder);
    await refresh(id);
    const before = await refsOf(id);
    await db.updateTable('repositories').set({ url: '/no/such/folder' }).where('id', '=', id).execute();
    expect(await refresh(id)).toMatchObject({
      kind: 'failed',
      problem: expect.stringContaining("doesn't exist on the server"),
    });
    expect(await rowOf(id)).toMatchObject({ state: 'ready', failures: 1 });
    expect(await refsOf(id)).toEqual(before);
    await db.updateTable('repositories').set({ url: fixture.folder }).where('id', '=', id).execute();
    await refresh(id);
    expect(await rowOf(id)).toMatchObject({ problem: null, problem_at: null, failures: 0 });
  });

  it('covers local paths and private addresses, unless the operator allowed or added them', async () => {
    const strict = startTestMirrors({
      db,
      settings: { allowLocalRepositories: false, allowPrivateAddresses: false },
    });
    const fixture = await origin();
    expect(await refresh(await add(fixture.folder), strict)).toMatchObject({ kind: 'failed' });
    expect(await refresh(await add((await serve(fixture)).repository), strict)).toMatchObject({
      kind: 'failed',
    });
    expect(await refresh(await add(fixture.folder, { addedByOperator: true }), strict)).toEqual({
      kind: 'refreshed',
    });
  });
});

describe('several nodes', () => {
  it('refresh a repository one at a time', async () => {
    const server = await serve(await origin());
    const id = await add(server.repository);
    const others = Array.from({ length: 3 }, () => startTestMirrors({ db }));
    const outcomes = await Promise.all([mirrors, ...others].map((node) => refresh(id, node)));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual([
      'not_taken',
      'not_taken',
      'not_taken',
      'refreshed',
    ]);
  });

  it('take over from a node that stopped responding', async () => {
    const id = await add((await origin()).folder);
    await sql`UPDATE repositories SET refresh_token = ${uuidv7()}, state = 'cloning',
      busy_until = clock_timestamp() + interval '1 minute' WHERE id = ${id}`.execute(db);
    expect(await refresh(id)).toEqual({ kind: 'not_taken' });
    await sql`UPDATE repositories SET busy_until = clock_timestamp() WHERE id = ${id}`.execute(db);
    expect(await refresh(id)).toEqual({ kind: 'refreshed' });
  });

  it('write nothing after another node took over', async () => {
    const id = await add((await origin()).folder);
    const lock = await holdLock(id);
    const work = refresh(id);
    await vi.waitFor(async () => expect((await rowOf(id)).refresh_token).not.toBeNull(), { timeout: 30_000 });
    const taken = { refresh_token: uuidv7(), activity: JSON.stringify({ phase: 'receiving' }) };
    await db.updateTable('repositories').set(taken).where('id', '=', id).execute();
    await lock.kill();
    expect(await work).toEqual({ kind: 'lost' });
    expect(await refsOf(id)).toEqual({});
    expect(await rowOf(id)).toMatchObject({
      state: 'cloning',
      refresh_token: taken.refresh_token,
      head_commit: null,
    });
  });

  it('do not overwrite newer results', async () => {
    const fixture = await origin();
    const id = await add(fixture.folder);
    const late = startTestMirrors({
      db,
      async index() {
        // Another node took over in the meantime, and found more.
        await fixture.commit({ 'later.txt': 'later\n' }, { branch: 'later' });
        await sql`UPDATE repositories SET busy_until = clock_timestamp() WHERE id = ${id}`.execute(db);
        expect(await refresh(id)).toEqual({ kind: 'refreshed' });
      },
    });
    await refresh(id, late);
    expect(Object.keys(await refsOf(id))).toEqual(['branch later', 'branch main']);
    expect(await secondsToNext(id)).toBeGreaterThan(200);
  });

  it('each fetch what they lack', async () => {
    const fixture = await origin();
    const server = await serve(fixture);
    const id = await add(server.repository);
    await refresh(id);
    const other = startTestMirrors({ db });
    expect(existsSync(other.folderOf(id).gitDir)).toBe(false);
    await other.sync(id, { signal: never });
    expect(await readFile(join(other.folderOf(id).gitDir, 'HEAD'), 'utf8')).toContain('refs/heads/main');
  });
});
