/**
 * Shares one query among callers that ask for the same data at the same time: many agents can wait for one plan, and all
 * of them wake up together. A caller only joins a query that has not started yet, so the result is never older than the
 * call.
 */
import type { Db } from '../../platform/db/index.ts';

const pending = new WeakMap<Db, Map<string, Promise<unknown>>>();

/** Calls with the same `key` in one turn of the event loop share one result. */
export function shareQuery<Result>(db: Db, key: string, query: () => Promise<Result>): Promise<Result> {
  const queries = pending.get(db) ?? new Map<string, Promise<unknown>>();
  pending.set(db, queries);
  let result = queries.get(key) as Promise<Result> | undefined;
  if (!result) {
    result = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      queries.delete(key);
      return query();
    });
    queries.set(key, result);
  }
  return result;
}
