/** Logs the first of many refused requests of a kind, and once a minute how many followed, so that a flood does not fill the log. */
import type { Log } from '../../platform/core/telemetry/log.ts';

const INTERVAL_MS = 60_000;
/** Kinds that are counted at a time; more are logged one by one. */
const MAX_KINDS = 1000;

export class RefusalLog {
  readonly #log: Log;
  readonly #counts = new Map<string, number>();

  constructor(log: Log) {
    this.#log = log;
  }

  add(kind: Record<string, string | number | undefined>, requestId: string): void {
    const key = JSON.stringify(kind);
    const count = this.#counts.get(key);
    if (count !== undefined) {
      this.#counts.set(key, count + 1);
      return;
    }
    this.#log.warn({ ...kind, requestId }, 'request refused; others like it are counted for a minute');
    if (this.#counts.size < MAX_KINDS) this.#wait(key, kind);
  }

  #wait(key: string, kind: Record<string, string | number | undefined>): void {
    this.#counts.set(key, 0);
    setTimeout(() => {
      const count = this.#counts.get(key)!;
      this.#counts.delete(key);
      if (count === 0) return;
      this.#log.warn({ ...kind, count }, 'requests refused in the last minute');
      this.#wait(key, kind);
    }, INTERVAL_MS).unref();
  }
}
