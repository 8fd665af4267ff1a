/**
 * Shares one query among callers that ask for the same data at the same time: many agents can wait for one plan, and all
 * of them wake up together. A caller only joins a query that has not started yet, so the result is never older than the
 * call. `Batch` answers different questions with one query; this asks one question once.
 */
export class SharedQueries {
  readonly #pending = new Map<string, Promise<unknown>>();

  /** Calls with the same `key` in one turn of the event loop share one result. */
  share<Result>(key: string, query: () => Promise<Result>): Promise<Result> {
    const known = this.#pending.get(key) as Promise<Result> | undefined;
    if (known) return known;
    const result = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.#pending.delete(key);
      return query();
    });
    this.#pending.set(key, result);
    return result;
  }
}

export function createSharedQueries(): SharedQueries {
  return new SharedQueries();
}
