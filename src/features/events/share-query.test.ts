/** Calls made together share one query; later calls start a new one. */
import { describe, expect, it } from 'vitest';
import type { Db } from '../../platform/db/index.ts';
import { shareQuery } from './share-query.ts';

const db = {} as Db;

describe('shareQuery', () => {
  it('runs one query for concurrent calls with the same key, and one for each other key', async () => {
    const keys: string[] = [];
    const call = (key: string) =>
      shareQuery(db, key, async () => {
        keys.push(key);
        return `${key} ${keys.length}`;
      });
    expect(await Promise.all([call('a'), call('b'), call('a')])).toEqual(['a 1', 'b 2', 'a 1']);
    expect(keys).toEqual(['a', 'b']);
  });

  it('starts a new query once one is running, so that no result is older than the call', async () => {
    let count = 0;
    const query = () => {
      count += 1;
      return Promise.resolve(count);
    };
    const later = shareQuery(db, 'key', () => {
      const second = shareQuery(db, 'key', query);
      return query().then(async (first) => [first, await second]);
    });
    expect(await later).toEqual([1, 2]);
  });

  it('rejects every caller when the query fails, and does not remember the failure', async () => {
    const fail = () => shareQuery(db, 'key', () => Promise.reject(new Error('away')));
    const results = await Promise.allSettled([fail(), fail()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await shareQuery(db, 'key', async () => 'back')).toBe('back');
  });

  it('does not share queries between databases', async () => {
    const both = [db, {} as Db].map((each, index) => shareQuery(each, 'key', async () => index));
    expect(await Promise.all(both)).toEqual([0, 1]);
  });
});
