/** How a table becomes a fact. */
import type { FactList } from '../fact-list.ts';

export type AddTable = (role: 'provides' | 'uses', name: string, line: number, detail: string) => void;

export function tableAdder(facts: FactList): AddTable {
  return (role, written, line, detail) => {
    const name = tableName(written);
    if (name !== null) facts.add({ kind: 'table', role, name, line, detail });
  };
}

/** In lower case, without quotes, schema and alias; null when it can't be a name. */
export function tableName(written: string): string | null {
  const name = written
    .trim()
    .split(/\s/)[0]!
    .replace(/["`[\]]/g, '')
    .replace(/^.*\./, '')
    .toLowerCase();
  return /^[\p{L}_][\w$-]{0,100}$/u.test(name) ? name : null;
}
