/**
 * Writes that would wait for the same lock go together. While one write of a group is under way, what comes for that
 * group is gathered and written by the next one: each commit then carries many writes instead of making them queue.
 */

/** How long a busy group waits for more before its next write. */
const GATHER_MS = 2;

interface Waiting<Item, Result> extends PromiseWithResolvers<Result> {
  item: Item;
}

interface Group<Item, Result> {
  waiting: Waiting<Item, Result>[];
}

export class GroupedWrites<Item, Result> {
  readonly #write: (items: Item[]) => Promise<Result[]>;
  readonly #maxAtOnce: number;
  readonly #groups = new Map<string, Group<Item, Result>>();

  readonly #isEveryones: (error: unknown) => boolean;

  /** `write` gives a result for each item, in their order, or fails with nothing of it written. */
  constructor(
    write: (items: Item[]) => Promise<Result[]>,
    rules: {
      maxAtOnce: number;
      /** Whether trying the items one by one would only fail again, as when the database is away. */
      isEveryones(error: unknown): boolean;
    },
  ) {
    this.#write = write;
    this.#maxAtOnce = rules.maxAtOnce;
    this.#isEveryones = rules.isEveryones;
  }

  add(name: string, item: Item): Promise<Result> {
    const waiting = { item, ...Promise.withResolvers<Result>() };
    const group = this.#groups.get(name);
    if (group) group.waiting.push(waiting);
    else {
      const started: Group<Item, Result> = { waiting: [waiting] };
      this.#groups.set(name, started);
      // At the end of this turn of the event loop, so that what arrives together goes together from the start.
      setImmediate(() => void this.#drain(name, started));
    }
    return waiting.promise;
  }

  async #drain(name: string, group: Group<Item, Result>): Promise<void> {
    while (group.waiting.length > 0) {
      const some = group.waiting.splice(0, this.#maxAtOnce);
      try {
        const results = await this.#write(some.map(({ item }) => item));
        for (const [index, { resolve }] of some.entries()) resolve(results[index]!);
      } catch (error) {
        await this.#writeEach(some, error);
      }
      // Who was answered just now often has the next item ready in a moment: one larger write is cheaper than two.
      if (some.length > 1 || group.waiting.length > 0)
        await this.#gather(group, some.length + group.waiting.length);
    }
    this.#groups.delete(name);
  }

  /** Waits until so many are there, but not for long. */
  async #gather(group: Group<Item, Result>, enough: number): Promise<void> {
    const until = performance.now() + GATHER_MS;
    while (group.waiting.length < enough && performance.now() < until) await new Promise(setImmediate);
  }

  /** One of them may have spoilt it for the others: each is tried by itself. */
  async #writeEach(some: Waiting<Item, Result>[], error: unknown): Promise<void> {
    if (some.length === 1 || this.#isEveryones(error)) {
      for (const { reject } of some) reject(error);
      return;
    }
    for (const { item, reject, resolve } of some) {
      await this.#write([item]).then(([result]) => resolve(result!), reject);
    }
  }
}
