/** Facts as they are stored: those that concern other repositories, each with the part that it is in, and an id made from its content. */
import { createHash } from 'node:crypto';
import type { FactKind, PlacedFact } from '../../../platform/core/ports/code-facts.ts';
import { partOf } from './summarize/find-parts.ts';

/** Kinds that other repositories can depend on come first: they are kept when a repository has too many facts. */
const STORED_KINDS: readonly FactKind[] = [
  'package',
  'contract',
  'event',
  'table',
  'route',
  'owner',
  'entry_point',
  'infrastructure',
  'environment',
  'symbol',
];
export const MAX_STORED_FACTS = 50_000;
/** Longer names are data; PostgreSQL can't index them. */
const MAX_NAME_BYTES = 1000;
const MAX_DETAIL_CHARACTERS = 500;

export interface FactRow {
  id: string;
  kind: string;
  role: string;
  name: string;
  part: string;
  path: string;
  line: number;
  detail: string | null;
}

export function factRows(
  facts: readonly PlacedFact[],
  parts: readonly string[],
): { rows: FactRow[]; leftOut: number } {
  const stored = facts.filter(({ kind, name }) => STORED_KINDS.includes(kind) && isStorable(name));
  const kinds = new Map(STORED_KINDS.map((kind, index) => [kind, index]));
  // Within a kind, what it provides comes before what it uses.
  const rankOf = ({ kind, role }: PlacedFact) => kinds.get(kind)! * 2 + (role === 'uses' ? 1 : 0);
  const ordered =
    stored.length > MAX_STORED_FACTS
      ? stored.toSorted((left, right) => rankOf(left) - rankOf(right))
      : stored;
  const rows = new Map<string, FactRow>();
  for (const fact of ordered.slice(0, MAX_STORED_FACTS)) {
    const row = {
      kind: fact.kind,
      role: fact.role,
      name: fact.name,
      part: partOf(fact.path, parts),
      path: fact.path,
      line: fact.line,
      detail: fact.detail ? withoutNul(fact.detail).slice(0, MAX_DETAIL_CHARACTERS).toWellFormed() : null,
    };
    const id = idOf(Object.values(row));
    rows.set(id, { id, ...row });
  }
  return { rows: [...rows.values()], leftOut: Math.max(0, stored.length - MAX_STORED_FACTS) };
}

function isStorable(name: string): boolean {
  return (
    name !== '' && Buffer.byteLength(name) <= MAX_NAME_BYTES && !name.includes('\0') && name.isWellFormed()
  );
}

const withoutNul = (text: string) => text.replaceAll('\0', ' ');

/** The same content has the same id. */
function idOf(values: (string | number | null)[]): string {
  const digits = createHash('sha256').update(JSON.stringify(values)).digest('hex');
  return [8, 12, 16, 20, 32].map((end, index, ends) => digits.slice(ends[index - 1] ?? 0, end)).join('-');
}
