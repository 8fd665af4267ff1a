/** Rate limiting by caller in one-minute windows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { RateLimit, rateLimitHeaders, refuseExcess } from './rate-limit.ts';

function controlled(limits = { perKey: 3, perAddress: 2 }) {
  let nowMs = 1_000_000;
  return {
    limit: new RateLimit(limits, () => nowMs),
    advance: (milliseconds: number) => {
      nowMs += milliseconds;
    },
  };
}

describe('a window', () => {
  it('allows exactly as many requests as the limit, and the same number a minute later', () => {
    const { limit, advance } = controlled();
    const used = () => [1, 2, 3, 4].map(() => limit.credential('a').remaining);
    expect(used()).toEqual([2, 1, 0, -1]);
    advance(59_999);
    expect(limit.credential('a').remaining).toBe(-2);
    advance(1);
    expect(used()).toEqual([2, 1, 0, -1]);
  });

  it('reports the seconds until it resets', () => {
    const { limit, advance } = controlled();
    expect(limit.credential('a').resetSeconds).toBe(60);
    advance(58_500);
    expect(limit.credential('a').resetSeconds).toBe(2);
    advance(1_499);
    expect(limit.credential('a').resetSeconds).toBe(1);
  });

  it('allows no caller more than the limit, regardless of other callers', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), (callers) => {
        const { limit } = controlled();
        const allowed: Record<string, number> = {};
        for (const caller of callers) {
          if (limit.credential(caller).remaining >= 0) allowed[caller] = (allowed[caller] ?? 0) + 1;
        }
        for (const [caller, count] of Object.entries(allowed)) {
          expect(count).toBe(Math.min(3, callers.filter((other) => other === caller).length));
        }
      }),
    );
  });
});

describe('callers', () => {
  it('are credentials and networks, counted separately', () => {
    const { limit } = controlled();
    expect(limit.address('203.0.113.1')).toMatchObject({ limit: 2, remaining: 1 });
    expect(limit.address('203.0.113.1').remaining).toBe(0);
    expect(limit.address('203.0.113.2').remaining).toBe(1);
    expect(limit.credential('203.0.113.1')).toMatchObject({ limit: 3, remaining: 2 });
    expect(limit.address('2001:db8::1').remaining).toBe(1);
    expect(limit.address('2001:db8::2').remaining).toBe(0);
  });

  it('beyond 100,000 reset the counts instead of growing memory', () => {
    const { limit } = controlled();
    for (let index = 0; index <= 100_000; index += 1) limit.credential(`key ${index}`);
    expect(limit.credential('key 0').remaining).toBe(2);
  });
});

describe('the reply', () => {
  it('has the numbers in headers, never below zero', () => {
    expect(rateLimitHeaders({ limit: 5, remaining: -3, resetSeconds: 7 })).toEqual({
      'ratelimit-limit': '5',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '7',
    });
  });

  it('is 429 with Retry-After only beyond the limit', () => {
    expect(() => refuseExcess({ limit: 5, remaining: 0, resetSeconds: 7 })).not.toThrow();
    try {
      refuseExcess({ limit: 6000, remaining: -1, resetSeconds: 7 });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(Problem);
      expect(error).toMatchObject({ status: 429, code: 'rate_limited', headers: { 'retry-after': '7' } });
      expect((error as Problem).message).toContain('6,000');
    }
  });
});
