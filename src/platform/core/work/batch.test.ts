/** Lookups share queries, but a result is never older than its lookup. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Batch, type BatchLimits } from './batch.ts';

/** A batch over queries that the test answers by hand. */
function controlled(limits?: BatchLimits) {
  const queries: { keys: string[]; answer: PromiseWithResolvers<Map<string, string>> }[] = [];
  const batch = new Batch<string, string>((keys) => {
    const answer = Promise.withResolvers<Map<string, string>>();
    queries.push({ keys, answer });
    return answer.promise;
  }, limits);
  const reply = (index: number, suffix = '') => {
    const { keys, answer } = queries[index]!;
    answer.resolve(new Map(keys.filter((key) => key !== 'absent').map((key) => [key, `${key}${suffix}`])));
  };
  return { batch, queries, reply };
}

/** Two turns of the event loop: one in which the query is sent, one in which its effects are seen. */
const turn = async () => {
  for (let count = 0; count < 2; count += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('lookups', () => {
  it('of one turn share one query, each key once', async () => {
    const { batch, queries, reply } = controlled();
    const answers = ['a', 'b', 'a', 'absent'].map((key) => batch.get(key));
    await turn();
    expect(queries.map(({ keys }) => keys)).toEqual([['a', 'b', 'absent']]);
    reply(0);
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'a', undefined]);
  });

  it('never join a query that was already sent: a later lookup gets a newer result', async () => {
    const { batch, queries, reply } = controlled();
    const first = batch.get('key');
    await turn();
    const second = batch.get('key');
    await turn();
    expect(queries).toHaveLength(2);
    reply(1, ' revoked');
    reply(0, ' valid');
    expect(await first).toBe('key valid');
    expect(await second).toBe('key revoked');
  });

  it('are not cached: the next one sends a new query', async () => {
    const { batch, queries, reply } = controlled();
    const first = batch.get('a');
    await turn();
    reply(0);
    await first;
    void batch.get('a');
    await turn();
    expect(queries).toHaveLength(2);
    reply(1);
  });
});

describe('an error', () => {
  it('reaches everyone who waits for that query, and the next batch works', async () => {
    const { batch, queries, reply } = controlled();
    const answers = ['a', 'b', 'a'].map((key) => batch.get(key));
    await turn();
    queries[0]!.answer.reject(new Error('lost'));
    const outcomes = await Promise.allSettled(answers);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    const next = batch.get('a');
    await turn();
    reply(1);
    expect(await next).toBe('a');
  });

  it('thrown before the query is sent is handled like any other', async () => {
    let calls = 0;
    const batch = new Batch<string, string>(() => {
      calls += 1;
      if (calls === 1) throw new Error('not even sent');
      return Promise.resolve(new Map([['a', 'found']]));
    });
    await expect(batch.get('a')).rejects.toThrow('not even sent');
    expect(await batch.get('a')).toBe('found');
  });

  it('frees the slot of its query', async () => {
    const { batch, queries } = controlled({ queriesAtOnce: 1, keysPerQuery: 10 });
    for (let count = 0; count < 3; count += 1) {
      const answer = batch.get('a');
      await turn();
      queries[count]!.answer.reject(new Error('lost'));
      await expect(answer).rejects.toThrow('lost');
    }
    expect(queries).toHaveLength(3);
  });
});

describe('limits', () => {
  it('delay lookups while enough queries are running, and send them together afterwards', async () => {
    const { batch, queries, reply } = controlled({ queriesAtOnce: 2, keysPerQuery: 10 });
    const answers = [batch.get('a')];
    await turn();
    answers.push(batch.get('b'));
    await turn();
    answers.push(batch.get('c'));
    await turn();
    answers.push(batch.get('d'));
    await turn();
    expect(queries.map(({ keys }) => keys)).toEqual([['a'], ['b']]);
    reply(0);
    await turn();
    expect(queries.map(({ keys }) => keys)).toEqual([['a'], ['b'], ['c', 'd']]);
    reply(1);
    reply(2);
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('let lookups gather in a pause after each query, but answer before it', async () => {
    const { batch, queries, reply } = controlled({ queriesAtOnce: 1, keysPerQuery: 10, pauseMs: 100 });
    const first = batch.get('a');
    await turn();
    reply(0);
    expect(await first).toBe('a');
    const later = [batch.get('b')];
    await turn();
    later.push(batch.get('c'));
    expect(queries).toHaveLength(1);
    await expect.poll(() => queries.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c']]);
    reply(1);
    expect(await Promise.all(later)).toEqual(['b', 'c']);
  });

  it('split what exceeds one query, and use all concurrent queries', async () => {
    const { batch, queries, reply } = controlled({ queriesAtOnce: 2, keysPerQuery: 2 });
    const answers = ['a', 'b', 'c', 'd', 'e'].map((key) => batch.get(key));
    await turn();
    expect(queries.map(({ keys }) => keys)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    reply(0);
    await turn();
    expect(queries[2]!.keys).toEqual(['e']);
    reply(1);
    reply(2);
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('are never exceeded and never lose a lookup, whatever the order of events', async () => {
    const limits = fc.record({
      queriesAtOnce: fc.integer({ min: 1, max: 3 }),
      keysPerQuery: fc.integer({ min: 1, max: 4 }),
    });
    const steps = fc.array(
      fc.oneof(
        fc.record({ ask: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f') }),
        fc.record({ fail: fc.boolean() }),
        fc.constant('turn' as const),
      ),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(limits, steps, async (allowed, order) => {
        const { batch, queries, reply } = controlled(allowed);
        const answers: { key: string; asked: number; outcome: Promise<unknown> }[] = [];
        let settled = 0;
        const settle = (fail: boolean) => {
          if (settled >= queries.length) return;
          if (fail) queries[settled]!.answer.reject(new Error('lost'));
          else reply(settled, ` ${settled}`);
          settled += 1;
        };
        for (const step of order) {
          if (step === 'turn') await turn();
          else if ('ask' in step) {
            const outcome = batch.get(step.ask).catch(() => 'lost');
            answers.push({ key: step.ask, asked: queries.length, outcome });
          } else settle(step.fail);
          expect(queries.length - settled).toBeLessThanOrEqual(allowed.queriesAtOnce);
        }
        for (;;) {
          await turn();
          if (settled === queries.length) break;
          settle(false);
        }
        for (const { keys } of queries) expect(keys.length).toBeLessThanOrEqual(allowed.keysPerQuery);
        for (const { key, asked, outcome } of answers) {
          const answer = await outcome;
          if (answer === 'lost') continue;
          const [gotKey, query] = String(answer).split(' ');
          expect(gotKey).toBe(key);
          expect(Number(query)).toBeGreaterThanOrEqual(asked);
        }
      }),
      { numRuns: 200 },
    );
  });
});
