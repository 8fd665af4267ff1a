/** Keys that a YAML document has twice. The parser's own option compares every key with all others of its map, which takes minutes for hostile files. */
import { type Document, isNode, isScalar, visit } from 'yaml';

export interface RepeatedKey {
  key: string;
  /** Offsets of its first two occurrences. */
  firstAt: number;
  at: number;
}

/** Where the first repeated key is. */
export function repeatedKeyAt(document: Document): number | undefined {
  return findRepeatedKey(document, () => true)?.at;
}

/** The first key that is repeated with another value, as it is written in `text`. */
export function lostKey(document: Document, text: string): RepeatedKey | undefined {
  const written = (value: unknown) => (isNode(value) && value.range ? text.slice(...cut(value.range)) : '');
  return findRepeatedKey(document, (one, other) => written(one) !== written(other));
}

const cut = ([start, end]: readonly [number, number, number]): [number, number] => [start, end];

function findRepeatedKey(
  document: Document,
  counts: (one: unknown, other: unknown) => boolean,
): RepeatedKey | undefined {
  let found: RepeatedKey | undefined;
  visit(document, {
    Map(_key, { items }) {
      const seen = new Map<unknown, { at: number; value: unknown }>();
      for (const { key, value } of items) {
        if (!isScalar(key) || key.value === '<<') continue;
        const first = seen.get(key.value);
        const at = key.range?.[0] ?? 0;
        if (first && counts(first.value, value)) {
          found = { key: String(key.value), firstAt: first.at, at };
          return visit.BREAK;
        }
        if (!first) seen.set(key.value, { at, value });
      }
      return undefined;
    },
  });
  return found;
}
