/** Tracks which credentials were used and saves that in batches, at most once a minute per credential. */

const INTERVAL_MS = 60_000;

export class LastUsed {
  readonly #write: (ids: string[], at: Date) => Promise<void>;
  readonly #now: () => Date;
  #used = new Set<string>();
  readonly #writtenMs = new Map<string, number>();

  constructor(write: (ids: string[], at: Date) => Promise<void>, now: () => Date) {
    this.#write = write;
    this.#now = now;
  }

  note(id: string): void {
    if (!this.#writtenMs.has(id)) this.#used.add(id);
  }

  async flush(): Promise<void> {
    const at = this.#now();
    for (const [id, writtenMs] of this.#writtenMs) {
      // A clock that was set back must not delay the next write.
      if (Math.abs(at.getTime() - writtenMs) >= INTERVAL_MS) this.#writtenMs.delete(id);
    }
    if (this.#used.size === 0) return;
    const ids = [...this.#used];
    this.#used = new Set();
    for (const id of ids) this.#writtenMs.set(id, at.getTime());
    try {
      await this.#write(ids, at);
    } catch (error) {
      for (const id of ids) {
        this.#writtenMs.delete(id);
        this.#used.add(id);
      }
      throw error;
    }
  }
}
