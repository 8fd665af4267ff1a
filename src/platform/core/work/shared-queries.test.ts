/** Calls made together share one query; later calls start a new one. */
import { describe, expect, it } from 'vitest';
import { SharedQueries } from './shared-queries.ts';

const queries = new SharedQueries();

describe('SharedQueries', () => {
  it('runs one query for concurrent calls with the same key, and one for each other key', async () => {
    const keys: string[] = [];
    const call = (key: string) =>
      queries.share(key, async () => {
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
    const later = queries.share('key', () => {
      const second = queries.share('key', query);
      return query().then(async (first) => [first, await second]);
    });
    expect(await later).toEqual([1, 2]);
  });

  it('rejects every caller when the query fails, and does not remember the failure', async () => {
    const fail = () => queries.share('key', () => Promise.reject(new Error('away')));
    const results = await Promise.allSettled([fail(), fail()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await queries.share('key', async () => 'back')).toBe('back');
  });
});
