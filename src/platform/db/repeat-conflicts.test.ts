/** A transaction that loses against a concurrent one starts again; everything else fails at once. */
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/helpers/database/database.ts';
import { openDatabase } from './database.ts';
import { DEADLOCK, repeatConflicts } from './repeat-conflicts.ts';

const database = await openDatabase(await createTestDatabase(), {
  poolSize: 4,
  onConnectionLost: () => undefined,
});
const { db } = database;
afterAll(() => database.close());
await sql`CREATE TABLE pairs (name text PRIMARY KEY, value int)`.execute(db);
await sql`INSERT INTO pairs VALUES ('a', 0), ('b', 0)`.execute(db);

/** Two transactions that lock the rows in opposite orders, each waiting for the other's first lock. */
function crossing(repeat: typeof repeatConflicts) {
  const locked = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
  const add = (first: 'a' | 'b', second: 'a' | 'b') =>
    repeat(() =>
      db.transaction().execute(async (transaction) => {
        await sql`UPDATE pairs SET value = value + 1 WHERE name = ${first}`.execute(transaction);
        locked[first].resolve();
        await locked[second].promise;
        await sql`UPDATE pairs SET value = value + 1 WHERE name = ${second}`.execute(transaction);
      }),
    );
  return Promise.allSettled([add('a', 'b'), add('b', 'a')]);
}

it('lets both of two crossing transactions succeed, of which PostgreSQL ends one', async () => {
  const once = await crossing((run) => run());
  expect(once.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(once.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: DEADLOCK } });
  const repeated = await crossing(repeatConflicts);
  expect(repeated.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  const { rows } = await sql`SELECT name, value FROM pairs ORDER BY name`.execute(db);
  expect(rows).toEqual([
    { name: 'a', value: 3 },
    { name: 'b', value: 3 },
  ]);
});

it('gives up after some tries, and at once on any other failure', async () => {
  let tries = 0;
  const fail = (code: string) =>
    repeatConflicts(() => {
      tries += 1;
      throw Object.assign(new Error('lost'), { code });
    });
  await expect(fail(DEADLOCK)).rejects.toThrow('lost');
  expect(tries).toBe(8);
  await expect(fail('23505')).rejects.toThrow('lost');
  expect(tries).toBe(9);
});
