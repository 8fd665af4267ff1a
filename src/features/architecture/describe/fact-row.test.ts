/** Facts are dropped in a fixed order when a repository has too many. */
import { expect, it } from 'vitest';
import type { PlacedFact } from '../../../platform/core/ports/code-facts.ts';
import { factRows, MAX_STORED_FACTS } from './fact-row.ts';

it('stores what others can depend on before what it uses, whatever the order in the commit', () => {
  const fact = (kind: 'symbol' | 'route', role: PlacedFact['role'], name: string): PlacedFact => ({
    ...{ kind, role, name, line: 1, path: 'a.ts' },
  });
  const used = Array.from({ length: MAX_STORED_FACTS }, (_, n) => fact('symbol', 'uses', `npm:x#${n}`));
  const provided = [fact('symbol', 'provides', 'npm:own#a'), fact('route', 'provides', 'GET /a')];
  const { leftOut, rows } = factRows([...used, ...provided], []);
  expect([leftOut, rows.length]).toEqual([2, MAX_STORED_FACTS]);
  expect(rows.slice(0, 2).map(({ name }) => name)).toEqual(['GET /a', 'npm:own#a']);
});
