/**
 * How long the reply to a refused request waits whose body nobody reads. The first few from an address are answered at once; a flood gets
 * 20 replies a second, because opening connections and sending more would otherwise cost us as much as reading did.
 */
import { networkOf } from '../../platform/core/network/network.ts';

const INTERVAL_MS = 50;
const AT_ONCE = 10;
const MAX_DELAY_MS = 2_000;
/** Beyond this many addresses all are forgotten, so that they don't grow without bound. */
const MAX_ADDRESSES = 10_000;

export class RefusalPace {
  readonly #now: () => number;
  readonly #lastDue = new Map<string, number>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts one refusal. */
  delayMs(address: string): number {
    const network = networkOf(address);
    const now = this.#now();
    const last = Math.max(this.#lastDue.get(network) ?? 0, now - AT_ONCE * INTERVAL_MS);
    const due = Math.min(last + INTERVAL_MS, now + MAX_DELAY_MS);
    if (this.#lastDue.size >= MAX_ADDRESSES) this.#lastDue.clear();
    this.#lastDue.set(network, due);
    return Math.max(0, due - now);
  }
}
