/** Shared by tests of code hosts: a clock that moves only when somebody waits, the token, and a commit. */
import type { HostEnvironment } from '../../src/engines/code-hosts/environment.ts';

export const HEAD = 'a'.repeat(40);
export const TOKEN = 'token-of-the-service';

/** A clock that only moves when somebody waits. */
export function testEnvironment(): HostEnvironment & { slept: number[]; advance(ms: number): void } {
  let now = Date.now();
  const slept: number[] = [];
  return {
    allowPrivateAddresses: true,
    clock: { now: () => new Date(now) },
    sleep: (milliseconds) => {
      slept.push(milliseconds);
      now += milliseconds;
      return Promise.resolve();
    },
    random: () => 0.5,
    slept,
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}
