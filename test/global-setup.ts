/** One PostgreSQL for the whole run, with a migrated template that every test database is cloned from. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createLog } from '../src/platform/core/log.ts';
import {
  type Connection,
  connectionFromUrl,
  migrate,
  startEmbeddedPostgres,
  withConnection,
} from '../src/platform/db/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: Connection;
  }
}

export const TEMPLATE = 'countersign_template';

const log = createLog({ level: 'warn', terminal: false });

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = process.env.TEST_DATABASE_URL
    ? { connection: connectionFromUrl(process.env.TEST_DATABASE_URL), stop: async () => undefined }
    : await startThrowawayPostgres();
  await withConnection(server.connection, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE}`);
    await client.query(`CREATE DATABASE ${TEMPLATE}`);
  });
  await migrate({ ...server.connection, database: TEMPLATE }, log);
  project.provide('postgres', server.connection);
  return server.stop;
}

async function startThrowawayPostgres(): Promise<{ connection: Connection; stop(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'countersign-test-'));
  const postgres = await startEmbeddedPostgres({
    dir,
    log,
    // Only these throwaway databases run without fsync; crash tests use their own PostgreSQL.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  });
  return {
    connection: postgres.connection,
    async stop() {
      await postgres.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
