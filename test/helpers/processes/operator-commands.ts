/** Runs commands of an operator in the test's own process, on a database with one organization, for a test file. */
import { afterAll, vi } from 'vitest';
import type { Command } from '../../../src/commands/command.ts';
import { type Config, readConfig } from '../../../src/config.ts';
import { createLog } from '../../../src/platform/core/telemetry/log.ts';
import { type Db, openDatabase } from '../../../src/platform/db/index.ts';
import { createTestDatabase, urlOf } from '../database/database.ts';
import { temporaryDataDir } from '../git/mirrors.ts';
import { makeOrganization, type Organization } from '../service/factories.ts';

type Options = Record<string, string | true>;

export interface OperatorCommands {
  acme: Organization;
  config: Config;
  db: Db;
  /** Returns the output; rejects as the command does. */
  run(command: Command, options?: Options): Promise<string>;
}

/** With `always`, options that every command is given. */
export async function startOperatorCommands(always: Options = {}): Promise<OperatorCommands> {
  const connection = await createTestDatabase();
  const database = await openDatabase(connection, { poolSize: 4, onConnectionLost: () => undefined });
  const { db } = database;
  const config = readConfig({ DATA_DIR: temporaryDataDir(), DATABASE_URL: urlOf(connection) });
  let printed = '';
  const output = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  afterAll(async () => {
    output.mockRestore();
    await database.close();
  });
  return {
    acme: await makeOrganization(db, 'Acme', new Date()),
    config,
    db,
    async run(command, options) {
      printed = '';
      await command.run({
        config,
        environment: {},
        log: createLog({ level: 'silent', terminal: false }),
        options: { ...always, ...options },
        setExitCode: () => undefined,
        stopped: new AbortController().signal,
      });
      return printed;
    },
  };
}
