/** Rate limits per minute: by credential, or by address if there is no valid one. Counted in this process. */
import { Problem } from '../../../platform/core/errors/errors.ts';
import { networkOf } from '../../../platform/core/network/network.ts';

const WINDOW_MS = 60_000;
/** Beyond this many callers in one window, the counts are reset so that they don't grow without bound. */
const MAX_CALLERS = 100_000;

export interface Allowance {
  limit: number;
  remaining: number;
  resetSeconds: number;
}

export class RateLimit {
  readonly #limits: { perKey: number; perAddress: number };
  readonly #now: () => number;
  #counts = new Map<string, number>();
  #windowEnds = 0;

  constructor(limits: { perKey: number; perAddress: number }, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Counts one request of a valid credential. */
  credential(id: string): Allowance {
    return this.#count(id, this.#limits.perKey);
  }

  /** Counts one request without a valid credential. */
  address(address: string): Allowance {
    return this.#count(`address ${networkOf(address)}`, this.#limits.perAddress);
  }

  /**
   * Counts one request with a signed body that was refused, for its target alone: whoever shares an address with a forger of webhooks still
   * gets those of other hosts through. `isRefused` is false for one whose body was not read yet, which is not counted.
   */
  signed(address: string, target: string, isRefused: boolean): Allowance {
    return this.#count(`signed ${networkOf(address)} ${target}`, this.#limits.perAddress, isRefused);
  }

  #count(caller: string, limit: number, isCounted = true): Allowance {
    const now = this.#now();
    if (now >= this.#windowEnds || this.#counts.size > MAX_CALLERS) {
      this.#counts = new Map();
      this.#windowEnds = now + WINDOW_MS;
    }
    const used = (this.#counts.get(caller) ?? 0) + 1;
    if (isCounted) this.#counts.set(caller, used);
    return {
      limit,
      remaining: limit - used,
      // Times are fractions of milliseconds: a sum and its difference need not agree in the last digits.
      resetSeconds: Math.max(1, Math.ceil(Math.round(this.#windowEnds - now) / 1000)),
    };
  }
}

export function rateLimitHeaders(allowance: Allowance): Record<string, string> {
  return {
    'ratelimit-limit': String(allowance.limit),
    'ratelimit-remaining': String(Math.max(0, allowance.remaining)),
    'ratelimit-reset': String(allowance.resetSeconds),
  };
}

export function refuseExcess(allowance: Allowance): void {
  if (allowance.remaining >= 0) return;
  throw new Problem(
    'rate_limited',
    `More than ${allowance.limit.toLocaleString('en-US')} requests in one minute. Try again in ${allowance.resetSeconds} s.`,
    { retryAfterSeconds: allowance.resetSeconds },
  );
}
