/** How operations say that something changed, and wait for it. The truth is in the database; this only wakes people up. */

export interface ChangeFeed {
  /** Called after the commit: whoever waits for this topic, on any node, looks again. */
  announce(topic: string): void;
  /**
   * Starts to listen, at once; what is announced from here on is not missed. `next` resolves when there may be
   * something new, when the time is over or when the signal fires: look, then wait again.
   */
  listen(topic: string): FeedListener;
}

export interface FeedListener {
  next(timeoutMs: number, signal: AbortSignal): Promise<void>;
  close(): void;
}
