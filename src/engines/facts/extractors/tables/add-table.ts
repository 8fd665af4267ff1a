/** How a table becomes a fact. */
import type { FactList } from '../fact-list.ts';

export type AddTable = (role: 'provides' | 'uses', name: string, line: number, detail: string) => void;

/** Names in lower case, without quotes, schema and alias; what can't be a name is left out. */
export function tableAdder(facts: FactList): AddTable {
  return (role, written, line, detail) => {
    const name = written
      .trim()
      .split(/\s/)[0]!
      .replace(/["`[\]]/g, '')
      .replace(/^.*\./, '')
      .toLowerCase();
    if (/^[\p{L}_][\w$-]{0,100}$/u.test(name)) facts.add({ kind: 'table', role, name, line, detail });
  };
}
