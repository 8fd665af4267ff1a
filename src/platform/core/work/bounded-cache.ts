/** An LRU cache bounded by a number of bytes. */

export interface BoundedCache<Value> {
  get(key: string): Value | undefined;
  /** Doesn't count as a use. */
  has(key: string): boolean;
  set(key: string, value: Value, bytes: number): void;
}

export function createBoundedCache<Value>(maxBytes: number): BoundedCache<Value> {
  // A Map keeps insertion order: the first key is the least recently used.
  const entries = new Map<string, { value: Value; bytes: number }>();
  let held = 0;
  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    has: (key) => entries.has(key),
    set(key, value, bytes) {
      held += bytes - (entries.get(key)?.bytes ?? 0);
      entries.delete(key);
      entries.set(key, { value, bytes });
      for (const [oldest, entry] of entries) {
        if (held <= maxBytes || oldest === key) break;
        entries.delete(oldest);
        held -= entry.bytes;
      }
    },
  };
}

/** One cache for each owner, such as the reader whose answers are kept; it goes with its owner. */
export function createCachePerOwner<Value>(maxBytes: number): (owner: object) => BoundedCache<Value> {
  const caches = new WeakMap<object, BoundedCache<Value>>();
  return (owner) => {
    const cache = caches.get(owner) ?? createBoundedCache<Value>(maxBytes);
    caches.set(owner, cache);
    return cache;
  };
}

/** A view of a cache with its own key prefix, so that repositories never share entries with the same id. */
export function createKeyedCache<Value>(cache: BoundedCache<Value>, owner: string): BoundedCache<Value> {
  return {
    get: (key) => cache.get(`${owner} ${key}`),
    has: (key) => cache.has(`${owner} ${key}`),
    set: (key, value, bytes) => cache.set(`${owner} ${key}`, value, bytes),
  };
}
