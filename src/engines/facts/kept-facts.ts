/** The most useful facts of a commit, when it has more than are kept. Pure. */
import type { FactKind, PlacedFact } from '../../platform/core/ports/code-facts.ts';

/**
 * The least useful first: what many files repeat and nobody depends on. What other repositories can depend on, and what describes
 * the repository, is dropped last.
 */
const DROPPED_FIRST: readonly FactKind[] = ['symbol', 'heading', 'environment', 'infrastructure', 'owner'];

export class KeptFacts {
  readonly #max: number;
  readonly #kept = new Map<FactKind, { order: number; fact: PlacedFact }[]>();
  readonly #leftOut = new Map<FactKind, number>();
  #count = 0;
  #order = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(fact: PlacedFact): void {
    this.#order += 1;
    if (this.#count >= this.#max && !this.#makeRoomFor(fact.kind)) {
      this.#leaveOut(fact.kind);
      return;
    }
    const some = this.#kept.get(fact.kind) ?? [];
    some.push({ order: this.#order, fact });
    this.#kept.set(fact.kind, some);
    this.#count += 1;
  }

  /** In the order in which they were added. */
  facts(): PlacedFact[] {
    const all = [...this.#kept.values()].flat();
    return all.sort((one, other) => one.order - other.order).map(({ fact }) => fact);
  }

  /** Undefined if everything was kept. */
  leftOut(): string | undefined {
    if (this.#leftOut.size === 0) return undefined;
    const kinds = [...this.#leftOut].sort(([, one], [, other]) => other - one);
    const listed = kinds.map(([kind, count]) => `${count} of the kind ${kind.replaceAll('_', ' ')}`);
    return `Only ${this.#max} facts of a commit are kept, the most useful ones. Left out: ${listed.join(', ')}`;
  }

  /** Drops the last fact of a less useful kind. */
  #makeRoomFor(kind: FactKind): boolean {
    const rank = DROPPED_FIRST.indexOf(kind);
    const droppable = rank < 0 ? DROPPED_FIRST : DROPPED_FIRST.slice(0, rank);
    const dropped = droppable.find((each) => (this.#kept.get(each)?.length ?? 0) > 0);
    if (dropped === undefined) return false;
    this.#kept.get(dropped)!.pop();
    this.#count -= 1;
    this.#leaveOut(dropped);
    return true;
  }

  #leaveOut(kind: FactKind): void {
    this.#leftOut.set(kind, (this.#leftOut.get(kind) ?? 0) + 1);
  }
}
