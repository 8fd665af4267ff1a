/**
 * Batches writes that would wait for the same lock. While one write of a group is running, items that arrive for that
 * group are collected for the next one, so that each commit carries many items instead of making them queue.
 */

/** How long a busy group waits for more items before its next write. */
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

  readonly #affectsAll: (error: unknown) => boolean;

  /** `write` returns a result for each item, in order, or fails without writing anything. */
  constructor(
    write: (items: Item[]) => Promise<Result[]>,
    rules: {
      maxAtOnce: number;
      /** Whether retrying the items one by one would fail again, for example because the database is down. */
      affectsAll(error: unknown): boolean;
    },
  ) {
    this.#write = write;
    this.#maxAtOnce = rules.maxAtOnce;
    this.#affectsAll = rules.affectsAll;
  }

  add(name: string, item: Item): Promise<Result> {
    const waiting = { item, ...Promise.withResolvers<Result>() };
    const group = this.#groups.get(name);
    if (group) group.waiting.push(waiting);
    else {
      const started: Group<Item, Result> = { waiting: [waiting] };
      this.#groups.set(name, started);
      // At the end of this turn of the event loop, so that items that arrive together are written together.
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
      // Callers that just got their result often send the next item right away: one larger write is cheaper than two.
      if (some.length > 1 || group.waiting.length > 0)
        await this.#gather(group, some.length + group.waiting.length);
    }
    this.#groups.delete(name);
  }

  /** Waits briefly until enough items have arrived. */
  async #gather(group: Group<Item, Result>, enough: number): Promise<void> {
    const until = performance.now() + GATHER_MS;
    while (group.waiting.length < enough && performance.now() < until) await new Promise(setImmediate);
  }

  /** A single item may have failed the whole batch, so each one is retried separately. */
  async #writeEach(some: Waiting<Item, Result>[], error: unknown): Promise<void> {
    if (some.length === 1 || this.#affectsAll(error)) {
      for (const { reject } of some) reject(error);
      return;
    }
    for (const { item, reject, resolve } of some) {
      await this.#write([item]).then(([result]) => resolve(result!), reject);
    }
  }
}
