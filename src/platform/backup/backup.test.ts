/** Backups on a real PostgreSQL: consistent under load, restored row by row, refused when damaged, all or nothing. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/helpers/database/database.ts';
import { fillTables, readAllRows } from '../../../test/helpers/database/fill-tables.ts';
import { cleanUp, temporaryFolder } from '../../../test/helpers/processes/real-processes.ts';
import { describeSchema } from '../db/describe-schema.ts';
import { type Connection, withConnection, withSnapshot } from '../db/index.ts';
import { checkBackup, restoreBackup, verifyBackup, writeBackup } from './index.ts';
import { readBackup } from './read-backup.ts';

afterAll(cleanUp);

const folder = temporaryFolder();
const { signal } = new AbortController();
let files = 0;
const newFile = () => {
  files += 1;
  return join(folder, `${files}.backup`);
};
const backUp = async (connection: Connection, file = newFile()) => {
  await writeBackup({ connection, file, secret: null, signal });
  return file;
};
const restore = async (
  connection: Connection,
  file: string,
  more: Partial<Parameters<typeof restoreBackup>[0]> = {},
) =>
  restoreBackup({
    connection,
    file,
    verified: await checkBackup(file, () => undefined),
    signal,
    onProgress: () => undefined,
    beforeCommit: async () => undefined,
    ...more,
  });
const run = (connection: Connection, sql: string) =>
  withConnection(connection, async (client) => (await client.query(sql)).rows);
const schemaOf = (connection: Connection) =>
  withConnection(connection, async (client) => (await describeSchema(client)).description);

let source: Connection;
let file: string;
beforeAll(async () => {
  source = await createTestDatabase();
  await fillTables(source, 3);
  // Rows that take several pieces each.
  await run(
    source,
    `UPDATE plan_versions SET content = (SELECT string_agg(md5(n::text || id), '') FROM generate_series(1, 10000) n)`,
  );
  file = await backUp(source);
});

describe('a backup', () => {
  it('is restored row by row, with every constraint and index', async () => {
    const target = await createTestDatabase({ migrated: false });
    const { skipped } = await restore(target, file);
    const rows = await readAllRows(source);
    expect(Object.values(rows).every((each) => each.length > 0)).toBe(true);
    expect(await readAllRows(target)).toEqual(rows);
    expect(await schemaOf(target)).toBe(await schemaOf(source));
    const triggers = 'SELECT tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1';
    expect(await run(target, triggers)).toEqual(await run(source, triggers));
    expect(skipped).toEqual([]);
  });

  it('can be read by nobody else, and leaves no other file', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['1.backup']);
  });

  it('is one state of the database while others write', async () => {
    const busy = await createTestDatabase();
    await run(busy, 'CREATE TABLE migrations_pairs (n int); CREATE TABLE zz_pairs (n int)');
    let writing = true;
    /** Committed; the next one may be under way. */
    let n = 0;
    const enough = Promise.withResolvers<void>();
    const writer = withConnection(busy, async (client) => {
      while (writing) {
        // Both or neither: the first is copied long before the second.
        await client.query(
          `BEGIN; INSERT INTO migrations_pairs SELECT ${n} FROM generate_series(1, 50);
           INSERT INTO zz_pairs SELECT ${n} FROM generate_series(1, 50); COMMIT`,
        );
        n += 1;
        if (n === 100) enough.resolve();
      }
    });
    await enough.promise;
    const before = n;
    const written = await backUp(busy);
    const after = n;
    writing = false;
    await writer;
    const counts: Record<string, number> = {};
    await readBackup(written, async ({ name, pieces }) => {
      counts[name] = 0;
      for await (const piece of pieces) counts[name] += piece.toString().split('\n').length - 1;
      return undefined;
    });
    expect(counts.migrations_pairs).toBe(counts.zz_pairs);
    expect(counts.zz_pairs! / 50).toBeGreaterThanOrEqual(before);
    expect(after).toBeGreaterThan(before);
    const target = await createTestDatabase({ migrated: false });
    expect((await restore(target, written)).skipped).toEqual(['migrations_pairs', 'zz_pairs']);
  });

  it('does not replace a file, and leaves nothing behind when it is stopped', async () => {
    await expect(backUp(source, file)).rejects.toThrow('already exists');
    const other = newFile();
    const stopped = AbortSignal.abort(new Error('enough'));
    await expect(
      writeBackup({ connection: source, file: other, secret: null, signal: stopped }),
    ).rejects.toThrow('enough');
    expect(existsSync(other) || existsSync(`${other}.partial`)).toBe(false);
    // A command exits before the writing has noticed: nothing may be left by then.
    const stop = new AbortController();
    const left: boolean[] = [];
    const onProgress = () => {
      left.push(existsSync(`${other}.partial`));
      stop.abort(new Error('enough'));
      left.push(existsSync(`${other}.partial`));
    };
    await expect(
      writeBackup({ connection: source, file: other, secret: null, signal: stop.signal, onProgress }),
    ).rejects.toThrow('enough');
    expect(left.slice(0, 2)).toEqual([true, false]);
  });

  it('makes migrations wait, not requests', async () => {
    await withSnapshot(source, async () => {
      const [free] = await run(source, 'SELECT pg_try_advisory_xact_lock(4000001) AS free');
      expect(free).toEqual({ free: false });
    });
  });
});

describe('a damaged file', () => {
  const expectRefused = async (bytes: Buffer, message = /./) => {
    const damaged = newFile();
    writeFileSync(damaged, bytes);
    for (const check of [checkBackup, verifyBackup])
      await expect(check(damaged, () => undefined)).rejects.toMatchObject({
        kind: 'refused',
        message: expect.stringMatching(message),
      });
  };

  it('is refused wherever it was cut off', async () => {
    const bytes = readFileSync(file);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), async (length) => {
        await expectRefused(bytes.subarray(0, length));
      }),
      { numRuns: 12, examples: [[0], [21], [bytes.length - 1]] },
    );
  });

  it('is refused wherever a byte was changed or added', async () => {
    const bytes = readFileSync(file);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = Buffer.from(bytes);
        changed[at]! ^= change;
        await expectRefused(changed);
      }),
      {
        numRuns: 20,
        examples: [0, 20, 21, 22, 25, 30, bytes.length - 33, bytes.length - 1].map((at) => [at, 1]),
      },
    );
    await expectRefused(Buffer.concat([bytes, Buffer.of(0)]), /something follows its end/);
  });

  it('is refused before anything is written, also when it changed after it was verified', async () => {
    const target = await createTestDatabase({ migrated: false });
    const changing = newFile();
    const bytes = readFileSync(file);
    writeFileSync(changing, bytes);
    const verified = await checkBackup(changing, () => undefined);
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(changing, bytes);
    await expect(restore(target, changing, { verified })).rejects.toThrow('its checksum is wrong');
    expect(await readAllRows(target)).toEqual({});
  });

  it('leaves the database empty when its checksum is right but its rows are not', async () => {
    const target = await createTestDatabase({ migrated: false });
    const bytes = readFileSync(file);
    // The number that zstd begins with.
    const firstTable = bytes.indexOf('(\xb5/\xfd', 'latin1');
    bytes.fill(0, firstTable, firstTable + 4);
    createHash('sha256')
      .update(bytes.subarray(0, -37))
      .digest()
      .copy(bytes, bytes.length - 32);
    const wrong = newFile();
    writeFileSync(wrong, bytes);
    await expect(verifyBackup(wrong, () => undefined)).rejects.toThrow('cannot be decompressed');
    await expect(restore(target, wrong)).rejects.toThrow('cannot be decompressed');
    expect(await readAllRows(target)).toEqual({});
  });

  it('has the same totals whether its rows are read or not', async () => {
    expect(await checkBackup(file, () => undefined)).toEqual(await verifyBackup(file, () => undefined));
  });
});

describe('a restore', () => {
  it('refuses a database that is not empty, and changes nothing', async () => {
    const used = await createTestDatabase();
    const before = await readAllRows(used);
    await expect(restore(used, file)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('not empty'),
    });
    expect(await readAllRows(used)).toEqual(before);
  });

  it('that is cut off at any point leaves the database empty', async () => {
    const target = await createTestDatabase({ migrated: false });
    const kill = () =>
      withConnection(source, (client) =>
        client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`, [
          target.database,
        ]),
      );
    let pieces = 0;
    const inLoad = restore(target, file, {
      onProgress: () => {
        pieces += 1;
        if (pieces === 20) void kill();
      },
    });
    await expect(inLoad).rejects.toThrow();
    await expect(restore(target, file, { beforeCommit: async () => void (await kill()) })).rejects.toThrow();
    expect(await readAllRows(target)).toEqual({});
    await restore(target, file);
    expect(await readAllRows(target)).toEqual(await readAllRows(source));
  });

  it('refuses a backup of a newer version', async () => {
    const newer = await createTestDatabase();
    await run(newer, `INSERT INTO migrations VALUES ('9000_future', 'x', now())`);
    const target = await createTestDatabase({ migrated: false });
    await expect(restore(target, await backUp(newer))).rejects.toMatchObject({ kind: 'database_newer' });
    expect(await readAllRows(target)).toEqual({});
  });
});
