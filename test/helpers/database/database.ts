/** A fresh, migrated database for a test file, in milliseconds: cloned from the template. */
import { inject } from 'vitest';
import { type Connection, withConnection } from '../../../src/platform/db/index.ts';
import { TEMPLATE } from '../../global-setup.ts';

let made = 0;

/** With `from`, a copy of another test's database, to which nobody is connected. */
export async function createTestDatabase(
  options: { migrated?: boolean; from?: Connection } = {},
): Promise<Connection> {
  const server = inject('postgres');
  made += 1;
  const database = `test_${process.pid}_${made}`;
  const template = options.from?.database ?? (options.migrated === false ? 'template0' : TEMPLATE);
  await withConnection(server, (client) =>
    client.query(`CREATE DATABASE ${database} TEMPLATE ${template} STRATEGY FILE_COPY`),
  );
  return { ...server, database };
}

/** In the form of DATABASE_URL, for processes that a test starts. */
export function urlOf(connection: Connection): string {
  const { host, port, user, password, database } = connection;
  return `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}
