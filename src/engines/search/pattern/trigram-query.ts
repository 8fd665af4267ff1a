/**
 * Queries over trigrams, simplified and bounded while they are built. Equal queries are the same object, so comparing is
 * cheap and repeated parts don't grow. Anything dropped makes a query weaker (true for more files).
 */

export type TrigramQuery =
  /** Nothing is known: every file is a candidate. */
  | { kind: 'all' }
  /** No file can match. */
  | { kind: 'none' }
  /** Three bytes, `b0 << 16 | b1 << 8 | b2`, with A to Z lowercased. */
  | { kind: 'trigram'; value: number }
  | { kind: 'and' | 'or'; parts: TrigramQuery[] };

export const ALL: TrigramQuery = { kind: 'all' };
export const NONE: TrigramQuery = { kind: 'none' };

/** More trigrams than this aren't worth looking up: the first few hundred eliminate nearly everything. */
const MAX_TRIGRAMS = 256;

/** The number of trigrams to create while parsing; only a few of a long pattern's are kept. */
const MAX_TRIGRAMS_MADE = 3000;

interface Facts {
  id: number;
  /** The number of trigrams, counting repetitions. */
  size: number;
}

export class QueryBuilder {
  #trigramsMade = 0;
  #known = new Map<string, TrigramQuery>();
  #facts = new Map<TrigramQuery, Facts>([
    [ALL, { id: 0, size: 0 }],
    [NONE, { id: 1, size: 0 }],
  ]);

  /** The budget for this pattern is spent: the rest stays unknown. */
  get exhausted(): boolean {
    return this.#trigramsMade > MAX_TRIGRAMS_MADE;
  }

  trigram(value: number): TrigramQuery {
    this.#trigramsMade += 1;
    return this.#intern(`t${value}`, { kind: 'trigram', value }, 1);
  }

  and(given: TrigramQuery[]): TrigramQuery {
    const informative = given.filter((query) => query.kind !== 'all');
    if (informative.length < 2) return informative[0] ?? ALL;
    const parts = new Set<TrigramQuery>();
    for (const query of informative) {
      if (query.kind === 'none') return NONE;
      for (const part of conjuncts(query)) parts.add(part);
    }
    // (a or b) and a is a.
    for (const part of parts) {
      if (part.kind === 'or' && part.parts.some((one) => conjuncts(one).every((each) => parts.has(each)))) {
        parts.delete(part);
      }
    }
    return this.#join('and', this.#keepSmallest([...parts], MAX_TRIGRAMS));
  }

  or(given: TrigramQuery[]): TrigramQuery {
    const parts = new Set<TrigramQuery>();
    for (const query of given) {
      if (query.kind === 'all') return ALL;
      for (const part of disjuncts(query)) parts.add(part);
    }
    // (a and b) or a is a.
    for (const part of parts) {
      if (part.kind === 'and' && part.parts.some((one) => parts.has(one))) parts.delete(part);
    }
    if (parts.size < 2) return this.#join('or', [...parts]);

    const common = inEach([...parts].map(conjuncts));
    if (common.length === 0) return this.#weakenOr([...parts], MAX_TRIGRAMS);
    const rests = [...parts].map((part) => this.and(conjuncts(part).filter((one) => !common.includes(one))));
    return this.and([...common, this.or(rests)]);
  }

  #weaken(query: TrigramQuery, size: number): TrigramQuery {
    if (this.#sizeOf(query) <= size) return query;
    if (query.kind === 'and') return this.#join('and', this.#keepSmallest(query.parts, size));
    return query.kind === 'or' ? this.#weakenOr(query.parts, size) : ALL;
  }

  #weakenOr(parts: TrigramQuery[], size: number): TrigramQuery {
    if (parts.reduce((sum, part) => sum + this.#sizeOf(part), 0) <= size) return this.#join('or', parts);
    const share = Math.floor(size / parts.length);
    if (share === 0) return ALL;
    const weaker = new Set<TrigramQuery>();
    for (const part of parts) {
      const weak = this.#weaken(part, share);
      if (weak.kind === 'all') return ALL;
      for (const one of disjuncts(weak)) weaker.add(one);
    }
    return this.#join('or', [...weaker]);
  }

  /** Single trigrams first: they are the cheapest to look up and the most selective. */
  #keepSmallest(parts: TrigramQuery[], size: number): TrigramQuery[] {
    if (parts.reduce((sum, part) => sum + this.#sizeOf(part), 0) <= size) return parts;
    const kept: TrigramQuery[] = [];
    let left = size;
    for (const part of parts.toSorted((one, other) => this.#sizeOf(one) - this.#sizeOf(other))) {
      const weak = this.#weaken(part, left);
      if (weak.kind === 'all') break;
      left -= this.#sizeOf(weak);
      for (const one of conjuncts(weak)) if (!kept.includes(one)) kept.push(one);
    }
    return kept;
  }

  #join(kind: 'and' | 'or', parts: TrigramQuery[]): TrigramQuery {
    if (parts.length === 0) return kind === 'and' ? ALL : NONE;
    if (parts.length === 1) return parts[0]!;
    const ids = parts.map((part) => this.#facts.get(part)!.id).sort((one, other) => one - other);
    const size = parts.reduce((sum, part) => sum + this.#sizeOf(part), 0);
    return this.#intern(`${kind}${ids.join()}`, { kind, parts }, size);
  }

  #sizeOf(query: TrigramQuery): number {
    return this.#facts.get(query)!.size;
  }

  #intern(key: string, query: TrigramQuery, size: number): TrigramQuery {
    const known = this.#known.get(key);
    if (known) return known;
    this.#known.set(key, query);
    this.#facts.set(query, { id: this.#facts.size, size });
    return query;
  }
}

function conjuncts(query: TrigramQuery): TrigramQuery[] {
  if (query.kind === 'all') return [];
  return query.kind === 'and' ? query.parts : [query];
}

function disjuncts(query: TrigramQuery): TrigramQuery[] {
  if (query.kind === 'none') return [];
  return query.kind === 'or' ? query.parts : [query];
}

function inEach(lists: TrigramQuery[][]): TrigramQuery[] {
  let common = lists[0]!;
  for (const list of lists) {
    const members = new Set(list);
    common = common.filter((one) => members.has(one));
    if (common.length === 0) break;
  }
  return common;
}
