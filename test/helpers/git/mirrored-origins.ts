/** Mirrors of real origins in a database of their own, with what tests of them have in common. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, expect } from 'vitest';
import type { Mirrors } from '../../../src/features/mirrors/index.ts';
import { createRepository, type RepositoryToAdd } from '../../../src/features/repositories/index.ts';
import { createLog } from '../../../src/platform/core/telemetry/log.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { createTestDatabase } from '../database/database.ts';
import { cleanUp, type Script, startScript } from '../processes/real-processes.ts';
import { type GitServer, startGitServer } from '../servers/git-server.ts';
import { makeOrganization } from '../service/factories.ts';
import { testSecrets } from '../service/secrets.ts';
import { type FixtureOptions, type FixtureRepository, makeRepository } from './git-fixtures.ts';
import { startTestMirrors, temporaryDataDir } from './mirrors.ts';

/** Everything is removed after the test file, and repositories after each test. */
export async function startMirroredOrigins() {
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
  const refresh = (id: string, by: Mirrors = mirrors) =>
    by.refresh(id, { onlyWhenDue: false, signal: never });
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
  return {
    ...{ acme, caller, connection, dataDir, db, lines, log, mirrors, never },
    ...{ add, hang, holdLock, origin, refresh, refsOf, rowOf, secondsToNext, serve },
  };
}
