/** Tests that every query of some stores is served by indexes and reads few rows. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Connection, type Db, driverOptions } from '../../../src/platform/db/index.ts';
import { explainOver, rowsRead, tablesScanned } from './explain-queries.ts';

/** Functions that call a store, by store and name. */
export type Queries = Record<string, Record<string, (db: Db) => Promise<unknown>>>;

export function testQueries(
  connection: Connection,
  queries: Queries,
  limits: {
    maxRowsRead: number;
    /** For the functions that may read more. */
    maxRowsOf?: Record<string, number>;
    /** Tables that a function may scan, because they are small. */
    scans?: Record<string, string[]>;
  },
): void {
  const { maxRowsOf = {}, maxRowsRead, scans = {} } = limits;
  const client = new pg.Client(driverOptions(connection));
  beforeAll(() => client.connect());
  afterAll(() => client.end());
  describe.each(Object.entries(queries))('%s', (_store, functions) => {
    it.each(Object.entries(functions))('%s is served by indexes and reads few rows', async (name, run) => {
      const explained = await explainOver(client, run);
      expect(explained.length).toBeGreaterThan(0);
      for (const { plan, sql } of explained) {
        const scanned = tablesScanned(plan).filter((table) => !scans[name]?.includes(table));
        expect({ sql, scanned }).toEqual({ sql, scanned: [] });
        const read = rowsRead(plan);
        expect({ sql, read, few: read <= (maxRowsOf[name] ?? maxRowsRead) }).toMatchObject({ few: true });
      }
    });
  });
}

/** `others` are functions that are part of other queries, or that read a whole table on purpose. */
export function testCoverage(queries: Queries, stores: object[], others: string[] = []): void {
  it('covers every store function', () => {
    const exported = stores.flatMap((store) =>
      Object.entries(store).flatMap(([name, value]) => (typeof value === 'function' ? [name] : [])),
    );
    const covered = Object.values(queries).flatMap((functions) => Object.keys(functions));
    expect([...covered, ...others].sort()).toEqual(exported.sort());
  });
}
