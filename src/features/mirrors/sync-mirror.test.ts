/** Syncing a mirror on one node: shared by callers, cancelled with the last one, and cleaned up when the repository is removed or the service stops. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { startMirroredOrigins } from '../../../test/helpers/git/mirrored-origins.ts';
import { temporaryDataDir } from '../../../test/helpers/git/mirrors.ts';
import { startScript } from '../../../test/helpers/processes/real-processes.ts';
import type { GitServer } from '../../../test/helpers/servers/git-server.ts';
import { testSecrets } from '../../../test/helpers/service/secrets.ts';
import { createMirrors } from './index.ts';

const {
  caller,
  connection,
  dataDir,
  db,
  log,
  mirrors,
  never,
  add,
  hang,
  holdLock,
  origin,
  refresh,
  rowOf,
  secondsToNext,
  serve,
} = await startMirroredOrigins();

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
    await vi.waitFor(() => expect(existsSync(join(dataDir, 'repositories', id))).toBe(true), {
      timeout: 30_000,
    });
    expect(done).toBe(false);
    expect(existsSync(mirrors.folderOf(id).gitDir)).toBe(false);
    await other.kill();
    await sync;
    expect(existsSync(mirrors.folderOf(id).gitDir)).toBe(true);
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
    await vi.waitFor(async () => expect(await readers()).toEqual([]), { timeout: 30_000 });
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
    await vi.waitFor(async () => expect(await leftOf(id)).toEqual([]), { timeout: 30_000 });
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
      import { createLog } from ${JSON.stringify(join(import.meta.dirname, '../../platform/core/telemetry/log.ts'))};
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
