/** Keeps what was used last, up to a number of bytes. */

export interface BoundedCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value, bytes: number): void;
}

export function createBoundedCache<Value>(maxBytes: number): BoundedCache<Value> {
  // A Map keeps the order in which keys were put in: the first is the one unused for longest.
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

/** A part of a cache with keys of its own: what one repository brought in is never another's, although it has the same id. */
export function createKeyedCache<Value>(cache: BoundedCache<Value>, owner: string): BoundedCache<Value> {
  return {
    get: (key) => cache.get(`${owner} ${key}`),
    set: (key, value, bytes) => cache.set(`${owner} ${key}`, value, bytes),
  };
}
