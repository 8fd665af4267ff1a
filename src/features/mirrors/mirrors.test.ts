/** Mirrors of real origins: what is recorded for all nodes, how failures are handled, and how nodes take turns. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { makeOrganization } from '../../../test/factories.ts';
import { type FixtureOptions, type FixtureRepository, makeRepository } from '../../../test/git-fixtures.ts';
import { type GitServer, startGitServer } from '../../../test/git-server.ts';
import { startTestMirrors, temporaryDataDir } from '../../../test/mirrors.ts';
import { cleanUp, type Script, startScript } from '../../../test/real-processes.ts';
import { testSecrets } from '../../../test/secrets.ts';
import { createLog } from '../../platform/core/log.ts';
import { uuidv7 } from '../../platform/core/uuid.ts';
import { openDatabase } from '../../platform/db/index.ts';
import { createRepository, type RepositoryToAdd } from '../repositories/index.ts';
import { createMirrors, type Mirrors } from './index.ts';

const connection = await createTestDatabase();
const database = await openDatabase(connection, { poolSize: 10, onConnectionLost: () => undefined });
const { db } = database;
const acme = await makeOrganization(db, 'Acme', new Date());
const lines: string[] = [];
const log = createLog({
  level: 'debug',
  terminal: false,
  destination: { write: (line) => void lines.push(line) },
});
const dataDir = temporaryDataDir();
const mirrors = startTestMirrors({ db, log, settings: { dataDir } });
const never = new AbortController().signal;
const caller = { organizationId: acme.id, userId: 'ada', credentialId: 'a key' };

const fixtures: FixtureRepository[] = [];
const servers: GitServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await db.deleteFrom('repositories').execute();
});
afterAll(async () => {
  await Promise.all(fixtures.map((fixture) => fixture.remove()));
  await cleanUp();
  await database.close();
});

async function origin(files: Record<string, string> = { 'a.txt': 'a\n' }, options: FixtureOptions = {}) {
  const fixture = await makeRepository(files, options);
  fixtures.push(fixture);
  return fixture;
}
async function serve(
  fixture: FixtureRepository,
  password?: string,
): Promise<GitServer & { repository: string }> {
  const server = await startGitServer({ folder: fixture.parent, password });
  servers.push(server);
  return { ...server, repository: `${server.url}/${fixture.name}` };
}
let added = 0;
function add(url: string, more: Partial<RepositoryToAdd> = {}): Promise<string> {
  added += 1;
  return createRepository(
    db,
    testSecrets,
    {
      name: `acme/r${added}`,
      url,
      credential: null,
      visibility: 'organization',
      memberIds: [],
      addedByOperator: false,
      ...more,
    },
    {
      organizationId: acme.id,
      kind: 'operator',
      userId: null,
      address: null,
      requestId: null,
      at: new Date(),
    },
  );
}
const rowOf = (id: string) =>
  db.selectFrom('repositories').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const refsOf = async (id: string) => {
  const rows = await db
    .selectFrom('repository_refs')
    .select(['kind', 'name', 'commit'])
    .where('repository_id', '=', id)
    .orderBy('kind')
    .orderBy('name')
    .execute();
  return Object.fromEntries(rows.map((row) => [`${row.kind} ${row.name}`, row.commit]));
};
const refresh = (id: string, by: Mirrors = mirrors) => by.refresh(id, { onlyWhenDue: false, signal: never });
const secondsToNext = async (id: string) => {
  const { rows } = await sql<{
    seconds: number;
  }>`SELECT extract(epoch FROM next_refresh_at - clock_timestamp())::float8
    AS seconds FROM repositories WHERE id = ${id}`.execute(db);
  return rows[0]!.seconds;
};
/** Another process that holds the lock on the repository's folder. */
async function holdLock(id: string): Promise<Script> {
  await mkdir(join(dataDir, 'repositories'), { recursive: true });
  const other = startScript(`
    import { DatabaseSync } from 'node:sqlite';
    const lock = new DatabaseSync(${JSON.stringify(join(dataDir, 'repositories', `${id}.lock`))});
    lock.exec('BEGIN EXCLUSIVE');
    console.log('locked');
    process.stdin.resume();`);
  expect(await other.line()).toBe('locked');
  return other;
}
/** Accepts requests and never answers them; resolves with the first. */
function hang(server: GitServer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.intercept(() => {
    resolve();
    return true;
  });
  return promise;
}

describe('a refresh', () => {
  it('records the origin’s refs and the time of the next refresh', async () => {
    const fixture = await origin();
    const side = await fixture.commit({ 'b.txt': 'b\n' }, { branch: 'side/branch' });
    await fixture.git('tag', '-a', '-m', 'One', 'v1', 'main');
    await fixture.git('tag', 'tree', 'main^{tree}');
    const main = await fixture.git('rev-parse', 'main');
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
    for (const each of servers) await each.close();
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
    await vi.waitFor(async () => expect((await rowOf(id)).refresh_token).not.toBeNull());
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

describe('a sync', () => {
  const fetchesOf = (server: GitServer) =>
    server.requests.filter(({ path }) => path.includes('info/refs')).length;

  it('is shared by all callers before its start', async () => {
    const server = await serve(await origin());
    const id = await add(server.repository);
    await mirrors.sync(id, { signal: never });
    const cloned = fetchesOf(server);
    await mirrors.sync(id, { signal: never });
    const ofOne = fetchesOf(server) - cloned;
    const begun = Promise.withResolvers<void>();
    server.intercept(() => {
      begun.resolve();
      return false;
    });
    const ask = () => Array.from({ length: 20 }, () => mirrors.sync(id, { signal: never }));
    const early = ask();
    await begun.promise;
    const late = ask();
    await Promise.all([...early, ...late]);
    expect(fetchesOf(server) - cloned - ofOne).toBe(2 * ofOne);
  });

  it('continues for the others when one leaves, and is cancelled when all have left', async () => {
    const server = await serve(await origin());
    const id = await add(server.repository);
    const reached = hang(server);
    const [one, two] = [new AbortController(), new AbortController()];
    const first = mirrors.sync(id, { signal: one.signal });
    const second = mirrors.sync(id, { signal: two.signal });
    await reached;
    one.abort(new Error('one left'));
    await expect(first).rejects.toThrow('one left');
    expect(
      await Promise.race([second.catch(() => 'ended'), new Promise((next) => setImmediate(next, 'running'))]),
    ).toBe('running');
    two.abort(new Error('two left'));
    await expect(second).rejects.toThrow('two left');
    // Nothing of the clone is left, and nothing blocks the next one.
    server.intercept(null);
    await mirrors.sync(id, { signal: never });
    expect(await readdir(join(dataDir, 'repositories', id))).toEqual(['mirror.git']);
  });

  it('waits for another process that works in the same folder', async () => {
    const id = await add((await origin()).folder);
    const other = await holdLock(id);
    let done = false;
    const sync = mirrors.sync(id, { signal: never }).then(() => {
      done = true;
    });
    await vi.waitFor(() => expect(existsSync(join(dataDir, 'repositories', id))).toBe(true));
    expect(done).toBe(false);
    expect(existsSync(mirrors.folderOf(id).gitDir)).toBe(false);
    await other.kill();
    await sync;
    expect(existsSync(mirrors.folderOf(id).gitDir)).toBe(true);
  });
});

describe('reading', () => {
  it('on a node without a mirror creates it, even if the reader stops waiting', async () => {
    const fixture = await origin();
    const id = await add(fixture.folder);
    await refresh(id, startTestMirrors({ db }));
    const lock = await holdLock(id);
    const leaving = new AbortController();
    const reading = mirrors.code.findCommit(id, await fixture.git('rev-parse', 'main'), {
      caller,
      signal: leaving.signal,
    });
    await vi.waitFor(() => expect(existsSync(join(dataDir, 'repositories', id))).toBe(true));
    leaving.abort(new Error('left'));
    await expect(reading).rejects.toThrow('left');
    await lock.kill();
    await vi.waitFor(() => expect(existsSync(mirrors.folderOf(id).gitDir)).toBe(true), { timeout: 10_000 });
  });

  it('finds a commit that was just pushed, for concurrent readers', async () => {
    const fixture = await origin();
    const id = await add((await serve(fixture)).repository);
    await refresh(id);
    const commit = await fixture.commit({ 'new.txt': 'new\n' });
    const found = await Promise.all(
      Array.from({ length: 8 }, () =>
        mirrors.code.findCommit(id, commit.slice(0, 12), { caller, signal: never }),
      ),
    );
    expect(found).toEqual(Array.from({ length: 8 }, () => ({ kind: 'found', commit })));
  });

  it('finds every commit that another node recorded, and fetches for unknown digits only once in a while', async () => {
    const fixture = await origin();
    const server = await serve(fixture);
    const id = await add(server.repository);
    await refresh(id);
    const other = startTestMirrors({ db });
    expect(await other.code.findCommit(id, 'fffffffff', { caller, signal: never })).toEqual({ kind: 'none' });
    const before = server.requests.length;
    expect(await other.code.findCommit(id, 'eeeeeeeee', { caller, signal: never })).toEqual({ kind: 'none' });
    expect(server.requests.length).toBe(before);
    const commit = await fixture.commit({ 'new.txt': 'new\n' });
    await refresh(id);
    expect(await other.code.findCommit(id, commit, { caller, signal: never })).toEqual({
      kind: 'found',
      commit,
    });
  });

  it('resolves digits to a commit, even if a branch of the mirror has that name', async () => {
    const fixture = await origin();
    await fixture.git('branch', 'deadbeef');
    const id = await add(fixture.folder);
    await mirrors.sync(id, { signal: never });
    expect(await mirrors.code.findCommit(id, 'deadbeef', { caller, signal: never })).toEqual({
      kind: 'none',
    });
  });

  it('shows nothing of the old repository once the URL has changed', async () => {
    const [first, second] = [await origin({ 'old.txt': 'old\n' }), await origin({ 'new.txt': 'new\n' })];
    const id = await add(first.folder);
    await refresh(id);
    const [old, present] = [await first.git('rev-parse', 'main'), await second.git('rev-parse', 'main')];
    expect(await mirrors.code.findCommit(id, old, { caller, signal: never })).toEqual({
      kind: 'found',
      commit: old,
    });
    await db.updateTable('repositories').set({ url: second.folder }).where('id', '=', id).execute();
    // A starting node finds a mirror of the old one, without any notification.
    const started = startTestMirrors({ db, settings: { dataDir } });
    expect(
      await started.code.changedFiles(
        id,
        { from: old, to: old, paths: ['old.txt'] },
        { caller, signal: never },
      ),
    ).toBeNull();
    mirrors.noticeChange(id);
    expect(await mirrors.code.findCommit(id, old, { caller, signal: never })).toEqual({ kind: 'none' });
    expect(await started.code.findCommit(id, present, { caller, signal: never })).toEqual({
      kind: 'found',
      commit: present,
    });
  });
});

describe('removing', () => {
  it('ends processes that read its files', async () => {
    const fixture = await origin();
    const id = await add(fixture.folder);
    await refresh(id);
    await mirrors.code.findCommit(id, await fixture.git('rev-parse', 'main'), { caller, signal: never });
    const { gitDir } = mirrors.folderOf(id);
    const readers = async () => {
      const { stdout } = await promisify(execFile)('ps', ['-eo', 'args']);
      return stdout.split('\n').filter((line) => line.includes(gitDir));
    };
    expect(await readers()).not.toEqual([]);
    await db.deleteFrom('repositories').where('id', '=', id).execute();
    await mirrors.remove(id);
    await vi.waitFor(async () => expect(await readers()).toEqual([]));
  });

  it('during a clone cancels it and leaves no files', async () => {
    const server = await serve(await origin());
    const reached = hang(server);
    const id = await add(server.repository);
    const work = refresh(id);
    await reached;
    await db.deleteFrom('repositories').where('id', '=', id).execute();
    mirrors.noticeChange(id);
    expect(await work).toEqual({ kind: 'lost' });
    await vi.waitFor(async () => expect(await leftOf(id)).toEqual([]));
  });

  it('is completed by a sweep, which touches nothing else', async () => {
    const fixture = await origin();
    const [kept, gone] = [await add(fixture.folder), await add(fixture.folder)];
    await refresh(kept);
    await refresh(gone);
    await mkdir(join(dataDir, 'repositories', `.removed-${gone}-1`), { recursive: true });
    await db.deleteFrom('repositories').where('id', '=', gone).execute();
    await mirrors.sweep();
    expect(await leftOf(gone)).toEqual([]);
    expect(existsSync(mirrors.folderOf(kept).gitDir)).toBe(true);
    await expect(mirrors.sync(gone, { signal: never })).rejects.toThrow('no longer exists');
    await mirrors.sweep();
    expect(await leftOf(gone)).toEqual([]);
  });

  const leftOf = async (id: string) =>
    (await readdir(join(dataDir, 'repositories'))).filter((name) => name.includes(id));
});

describe('stopping', () => {
  it('cancels a clone, which remains due', async () => {
    const server = await serve(await origin());
    const reached = hang(server);
    const id = await add(server.repository);
    const node = createMirrors({
      db,
      log,
      secrets: testSecrets,
      announce: () => undefined,
      settings: {
        dataDir: temporaryDataDir(),
        allowLocalRepositories: true,
        allowPrivateAddresses: true,
        repositoryRefreshSeconds: 300,
      },
    });
    const work = refresh(id, node);
    await reached;
    await node.close();
    await expect(work).rejects.toThrow('The service is stopping.');
    expect(await rowOf(id)).toMatchObject({
      state: 'waiting',
      busy_until: null,
      activity: null,
      failures: 0,
      problem: null,
    });
    expect(await secondsToNext(id)).toBeLessThanOrEqual(0);
    server.intercept(null);
    expect(await refresh(id)).toEqual({ kind: 'refreshed' });
  });

  it('by kill -9 during a clone leaves nothing that blocks another process', async () => {
    const fixture = await origin();
    const server = await serve(fixture);
    const reached = hang(server);
    const id = await add(server.repository);
    const victim = startScript(`
      import { createLog } from ${JSON.stringify(join(import.meta.dirname, '../../platform/core/log.ts'))};
      import { openDatabase } from ${JSON.stringify(join(import.meta.dirname, '../../platform/db/index.ts'))};
      import { createMirrors } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))};
      import { createSecretBox } from ${JSON.stringify(join(import.meta.dirname, '../../platform/secrets/index.ts'))};
      const { db } = await openDatabase(${JSON.stringify(connection)}, { poolSize: 2, onConnectionLost() {} });
      const mirrors = createMirrors({
        db, log: createLog({ level: 'silent', terminal: false }), secrets: createSecretBox(Buffer.alloc(32, 7)), announce() {},
        settings: { dataDir: ${JSON.stringify(dataDir)}, allowLocalRepositories: true, allowPrivateAddresses: true, repositoryRefreshSeconds: 300 },
      });
      await mirrors.refresh(${JSON.stringify(id)}, { onlyWhenDue: true, signal: new AbortController().signal });`);
    await Promise.race([reached, victim.line()]);
    await victim.kill();
    expect(await rowOf(id)).toMatchObject({ state: 'cloning' });
    // Its claim expires after a minute.
    await sql`UPDATE repositories SET busy_until = clock_timestamp() WHERE id = ${id}`.execute(db);
    server.intercept(null);
    expect(await mirrors.refresh(id, { onlyWhenDue: true, signal: never })).toEqual({ kind: 'refreshed' });
    expect((await readdir(join(dataDir, 'repositories', id))).sort()).toEqual(['index', 'mirror.git']);
  });
});
