/**
 * Lookups that arrive together share one query. A lookup only joins a query that has not been sent yet, so its result
 * is never older than the lookup itself: a request always sees what was revoked before it arrived.
 */

import { setTimeout } from 'node:timers/promises';

export interface BatchLimits {
  queriesAtOnce: number;
  keysPerQuery: number;
  /** After a query, how long the next one waits for more keys. A key that comes later than that doesn't wait. */
  pauseMs?: number;
}

export class Batch<Key, Value> {
  readonly #load: (keys: Key[]) => Promise<Map<Key, Value>>;
  readonly #maxAtOnce: number;
  readonly #maxKeys: number;
  readonly #pauseMs: number;
  #waiting = new Map<Key, Waiter<Value>>();
  #running = 0;
  #scheduled = false;

  constructor(
    load: (keys: Key[]) => Promise<Map<Key, Value>>,
    limits: BatchLimits = { queriesAtOnce: 2, keysPerQuery: 500 },
  ) {
    this.#load = load;
    this.#maxAtOnce = limits.queriesAtOnce;
    this.#maxKeys = limits.keysPerQuery;
    this.#pauseMs = limits.pauseMs ?? 0;
  }

  get(key: Key): Promise<Value | undefined> {
    let waiter = this.#waiting.get(key);
    if (!waiter) {
      waiter = Promise.withResolvers<Value | undefined>();
      this.#waiting.set(key, waiter);
      this.#schedule();
    }
    return waiter.promise;
  }

  /** At the end of this turn of the event loop, unless the maximum number of queries is already running. */
  #schedule(): void {
    if (this.#scheduled || this.#running >= this.#maxAtOnce) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#send();
    });
  }

  async #send(): Promise<void> {
    const sent = this.#take();
    this.#running += 1;
    if (this.#waiting.size > 0) this.#schedule();
    try {
      const found = await this.#load([...sent.keys()]);
      for (const [key, waiter] of sent) waiter.resolve(found.get(key));
    } catch (error) {
      for (const waiter of sent.values()) waiter.reject(error);
    } finally {
      if (this.#pauseMs > 0) await setTimeout(this.#pauseMs);
      this.#running -= 1;
      if (this.#waiting.size > 0) this.#schedule();
    }
  }

  #take(): Map<Key, Waiter<Value>> {
    if (this.#waiting.size <= this.#maxKeys) {
      const all = this.#waiting;
      this.#waiting = new Map();
      return all;
    }
    const some = new Map([...this.#waiting].slice(0, this.#maxKeys));
    for (const key of some.keys()) this.#waiting.delete(key);
    return some;
  }
}

type Waiter<Value> = PromiseWithResolvers<Value | undefined>;
