/** The time, waiting and randomness that adapters use, passed in so that tests can set them. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, systemClock } from '../../platform/core/text/clock.ts';

export interface HostEnvironment {
  /** Hosts on this machine or a private network, and hosts without TLS, are allowed. */
  allowPrivateAddresses: boolean;
  clock: Clock;
  /** Rejects when the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** From 0 to 1. */
  random(): number;
}

export function systemEnvironment(allowPrivateAddresses: boolean): HostEnvironment {
  return {
    allowPrivateAddresses,
    clock: systemClock,
    sleep: (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
    random: Math.random,
  };
}
