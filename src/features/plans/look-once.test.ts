/** Looking once for many: what is asked together is asked once, what is asked later is asked anew. */
import { describe, expect, it } from 'vitest';
import type { Db } from '../../platform/db/index.ts';
import { lookOnce } from './look-once.ts';

const db = {} as Db;

describe('lookOnce', () => {
  it('asks once for all that ask the same together, and separately for others', async () => {
    const asked: string[] = [];
    const ask = (key: string) =>
      lookOnce(db, key, async () => {
        asked.push(key);
        return `${key} ${asked.length}`;
      });
    expect(await Promise.all([ask('a'), ask('b'), ask('a')])).toEqual(['a 1', 'b 2', 'a 1']);
    expect(asked).toEqual(['a', 'b']);
  });

  it('asks again once a question is under way, so that no answer is older than its question', async () => {
    let count = 0;
    const look = () => {
      count += 1;
      return Promise.resolve(count);
    };
    const later = lookOnce(db, 'key', () => {
      const second = lookOnce(db, 'key', look);
      return look().then(async (first) => [first, await second]);
    });
    expect(await later).toEqual([1, 2]);
  });

  it('tells a failure to everybody, and forgets it', async () => {
    const fail = () => lookOnce(db, 'key', () => Promise.reject(new Error('away')));
    const results = await Promise.allSettled([fail(), fail()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await lookOnce(db, 'key', async () => 'back')).toBe('back');
  });

  it('keeps databases apart', async () => {
    const both = [db, {} as Db].map((each, index) => lookOnce(each, 'key', async () => index));
    expect(await Promise.all(both)).toEqual([0, 1]);
  });
});
