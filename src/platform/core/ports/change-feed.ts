/** How operations announce changes and wait for them. The database is the source of truth; this only wakes up listeners. */

export interface ChangeFeed {
  /** Call it after the commit: everyone waiting for this topic, on any node, checks again. */
  announce(topic: string): void;
  /**
   * Starts listening immediately; nothing announced from now on is missed. `next` resolves when there may be something
   * new, on timeout, or when the signal fires: check, then wait again.
   */
  listen(topic: string): FeedListener;
}

export interface FeedListener {
  next(timeoutMs: number, signal: AbortSignal): Promise<void>;
  close(): void;
}
