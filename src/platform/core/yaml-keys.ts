/** Keys that a YAML document has twice. The parser's own option compares every key with all others of its map, which takes minutes for hostile files. */
import { type Document, isScalar, visit } from 'yaml';

/** Where the first repeated key is. */
export function repeatedKeyAt(document: Document): number | undefined {
  let found: number | undefined;
  visit(document, {
    Map(_key, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key) || key.value === '<<') continue;
        if (seen.has(key.value)) {
          found = key.range?.[0] ?? 0;
          return visit.BREAK;
        }
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}
