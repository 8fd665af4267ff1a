/** Collects the facts of one file within the limits. */
import type { Fact } from '../../../platform/core/ports/code-facts.ts';

/** The facts that one extractor finds in one file. */
export const MAX_FACTS_OF_EXTRACTOR = 500;
/** Longer names are data in the place of a name. */
export const MAX_NAME_CHARACTERS = 300;
export const MAX_DETAIL_CHARACTERS = 400;

export class FactList {
  readonly facts: Fact[] = [];
  readonly #seen = new Set<string>();
  readonly #max: number;

  constructor(max = MAX_FACTS_OF_EXTRACTOR) {
    this.#max = max;
  }

  get isFull(): boolean {
    return this.facts.length >= this.#max;
  }

  /** The same fact on one line counts once. */
  add(fact: Fact): void {
    const name = fact.name.trim();
    if (this.isFull || name === '' || name.length > MAX_NAME_CHARACTERS || /[\u0000-\u001f]/.test(name))
      return;
    const key = `${fact.kind} ${fact.role} ${fact.line} ${name}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const { detail, ...rest } = fact;
    const shortened = detail && oneLine(detail);
    this.facts.push(shortened ? { ...rest, name, detail: shortened } : { ...rest, name });
  }
}

function oneLine(detail: string): string {
  const line = detail
    .slice(0, 2 * MAX_DETAIL_CHARACTERS)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > MAX_DETAIL_CHARACTERS ? `${line.slice(0, MAX_DETAIL_CHARACTERS - 1)}…` : line;
}
