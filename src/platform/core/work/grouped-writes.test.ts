/** Writes of one group run one after the other and in batches; groups do not wait for each other. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GroupedWrites } from './grouped-writes.ts';

/** A write that ends when the test says so. */
function heldWrites(maxAtOnce = 100) {
  const calls: { items: string[]; end(error?: Error): void }[] = [];
  let called = () => {};
  const writes = new GroupedWrites<string, string>(
    (items) => {
      const { promise, reject, resolve } = Promise.withResolvers<string[]>();
      calls.push({
        items,
        end: (error) => (error ? reject(error) : resolve(items.map((item) => `${item}!`))),
      });
      called();
      return promise;
    },
    { maxAtOnce, affectsAll: (error) => (error as Error).message === 'away' },
  );
  const reached = async (count: number) => {
    while (calls.length < count) await new Promise<void>((resolve) => (called = resolve));
  };
  return { writes, calls, reached };
}

describe('GroupedWrites', () => {
  it('writes together what arrives in one turn, and returns each result to its caller', async () => {
    const { calls, reached, writes } = heldWrites();
    const results = Promise.all(['a', 'b', 'c'].map((item) => writes.add('plan', item)));
    await reached(1);
    expect(calls[0]!.items).toEqual(['a', 'b', 'c']);
    calls[0]!.end();
    expect(await results).toEqual(['a!', 'b!', 'c!']);
  });

  it('collects what arrives during a write of the group, and delays no other group', async () => {
    const { calls, reached, writes } = heldWrites();
    const first = writes.add('one', 'a');
    await reached(1);
    const later = Promise.all([writes.add('one', 'b'), writes.add('one', 'c')]);
    const other = writes.add('two', 'x');
    await reached(2);
    expect(calls.map(({ items }) => items)).toEqual([['a'], ['x']]);
    calls[1]!.end();
    expect(await other).toBe('x!');
    calls[0]!.end();
    await reached(3);
    expect(calls[2]!.items).toEqual(['b', 'c']);
    calls[2]!.end();
    expect(await Promise.all([first, later])).toEqual(['a!', ['b!', 'c!']]);
  });

  it('never exceeds the batch size', async () => {
    const { calls, reached, writes } = heldWrites(2);
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((item) => writes.add('plan', item)));
    for (let count = 1; count <= 3; count += 1) {
      await reached(count);
      calls[count - 1]!.end();
    }
    await all;
    expect(calls.map(({ items }) => items.length)).toEqual([2, 2, 1]);
  });

  it('fails the whole batch when the error is not caused by one of them', async () => {
    const { calls, reached, writes } = heldWrites();
    const results = Promise.allSettled(['a', 'b'].map((item) => writes.add('plan', item)));
    await reached(1);
    calls[0]!.end(new Error('away'));
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(calls).toHaveLength(1);
  });

  it('fails only the one that cannot be written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }), async (good) => {
        const writes = new GroupedWrites<boolean, string>(
          async (items) => {
            if (items.includes(false)) throw new Error('bad');
            return items.map(() => 'written');
          },
          { maxAtOnce: 8, affectsAll: () => false },
        );
        const results = await Promise.allSettled(good.map((item) => writes.add('plan', item)));
        expect(results.map(({ status }) => status === 'fulfilled')).toEqual(good);
      }),
    );
  });
});
