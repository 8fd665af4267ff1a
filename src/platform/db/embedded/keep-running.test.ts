/** When the embedded PostgreSQL is restarted, and when the service gives up. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delayBeforeRestart, MAX_RESTARTS, RESTART_WINDOW_MS } from './keep-running.ts';

describe('the delay before a restart', () => {
  it('is zero the first time and doubles from half a second, until it gives up', () => {
    const restarts: number[] = [];
    const delays: (number | undefined)[] = [];
    for (let now = 0; delays.at(-1) !== undefined || restarts.length === 0; ) {
      const delay = delayBeforeRestart(restarts, now);
      delays.push(delay);
      now += delay ?? 0;
      restarts.push(now);
    }
    expect(delays).toEqual([0, 500, 1000, 2000, 4000, 8000, undefined]);
  });

  it('never allows more restarts than the limit within the window, and always one after a quiet window', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(RESTART_WINDOW_MS), { maxLength: 60 }), (pauses) => {
        const restarts: number[] = [];
        let now = 0;
        for (const pause of pauses) {
          now += pause;
          const delay = delayBeforeRestart(restarts, now);
          if (delay === undefined) continue;
          now += delay;
          restarts.push(now);
          const recent = restarts.filter((time) => now - time < RESTART_WINDOW_MS);
          expect(recent.length).toBeLessThanOrEqual(MAX_RESTARTS);
        }
        expect(delayBeforeRestart(restarts, now + RESTART_WINDOW_MS)).toBe(0);
      }),
    );
  });
});
