/** Each node has its own state, made once and closed with it. */
import { expect, it } from 'vitest';
import { NodeState } from './node-state.ts';

it('is made once for each node, from its services, and closed with it', async () => {
  const closed: string[] = [];
  const create = ({ name }: { name: string }) => ({ name, close: () => closed.push(name) });
  const createOther = ({ name }: { name: string }) => ({ other: name });
  const [first, second] = [new NodeState({ name: 'first' }), new NodeState({ name: 'second' })];
  expect(first.of(create)).toBe(first.of(create));
  expect([first.of(create).name, second.of(create).name]).toEqual(['first', 'second']);
  expect(first.of(createOther)).toEqual({ other: 'first' });
  await first.close();
  expect(closed).toEqual(['first']);
});
