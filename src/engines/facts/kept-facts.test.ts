/** When a commit has too many facts, some kinds are kept first and the rest is reported. */
import { expect, it } from 'vitest';
import type { FactKind } from '../../platform/core/ports/code-facts.ts';
import { KeptFacts } from './kept-facts.ts';

function keep(max: number, kinds: FactKind[]) {
  const kept = new KeptFacts(max);
  for (const [index, kind] of kinds.entries())
    kept.add({ kind, role: 'provides', name: `${kind} ${index}`, line: 1, path: 'a' });
  return { names: kept.facts().map(({ name }) => name), leftOut: kept.leftOut() };
}

it('keeps everything, in order, up to the limit', () => {
  expect(keep(3, ['symbol', 'package', 'route'])).toEqual({
    names: ['symbol 0', 'package 1', 'route 2'],
    leftOut: undefined,
  });
});

it('gives up the least useful ones first, wherever they are, and says how many of which kind', () => {
  const kinds: FactKind[] = ['symbol', 'heading', 'symbol', 'package', 'heading', 'route', 'symbol'];
  const { leftOut, names } = keep(3, kinds);
  expect(names).toEqual(['heading 1', 'package 3', 'route 5']);
  expect(leftOut).toBe(
    'Only 3 facts of a commit are kept, the most useful ones. Left out: 3 of the kind symbol, 1 of the kind heading',
  );
});

it('keeps the first ones of kinds that are all useful', () => {
  expect(keep(2, ['route', 'table', 'package', 'symbol']).names).toEqual(['route 0', 'table 1']);
});
