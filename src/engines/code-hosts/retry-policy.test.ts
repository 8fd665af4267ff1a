/** The retry policy as rules: what is obeyed, what is repeated, and what never is. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Attempted, decide, MAX_ATTEMPTS, MAX_WAIT_MS, pausedUntil } from './retry-policy.ts';

const now = new Date('2026-05-01T12:00:00Z');
const seconds = (count: number) => String(Math.floor(now.getTime() / 1000) + count);
const at = (attempt = 1, repeatable = true, random = 0) => ({ attempt, repeatable, now, random });
const reply = (status: number, headers: Record<string, string> = {}, message = ''): Attempted => ({
  kind: 'reply',
  status,
  headers,
  message,
});
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);

describe('limits', () => {
  it.each([
    ['Retry-After in seconds', reply(429, { 'retry-after': '120' }), 120_000],
    ['Retry-After as a date', reply(429, { 'retry-after': 'Fri, 01 May 2026 12:05:00 GMT' }), 300_000],
    [
      'GitHub’s primary limit',
      reply(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': seconds(900) }),
      900_000,
    ],
    ['GitLab’s limit', reply(429, { 'ratelimit-remaining': '0', 'ratelimit-reset': seconds(90) }), 90_000],
    ['a secondary limit without a time', reply(403, {}, 'You have exceeded a secondary rate limit.'), 60_000],
    ['a secondary limit with a time', reply(403, { 'retry-after': '75' }), 75_000],
    ['nothing but the status', reply(429), 60_000],
    [
      'Retry-After before the reset',
      reply(429, { 'retry-after': '30', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': seconds(999) }),
      30_000,
    ],
    ['a time that is absurd', reply(429, { 'retry-after': '999999999' }), 86_400_000],
  ])('%s', (_, attempted, milliseconds) => {
    const decision = decide(attempted, at());
    expect(decision).toMatchObject({
      act: 'fail',
      error: { code: 'rate_limited', until: later(milliseconds) },
    });
  });

  it('are waited for in place if they end soon, also for what must not be repeated', () => {
    const attempted = reply(429, { 'retry-after': '7' });
    expect(decide(attempted, at(1, false))).toEqual({ act: 'retry', afterMs: 7000 });
    expect(decide(attempted, at(MAX_ATTEMPTS))).toMatchObject({ error: { code: 'rate_limited' } });
  });

  it('are not seen in a plain refusal', () => {
    expect(
      decide(reply(403, { 'x-ratelimit-remaining': '4999' }, 'Resource not accessible'), at()),
    ).toMatchObject({
      error: { code: 'forbidden' },
    });
  });

  it('pause what follows a reply that used them up', () => {
    expect(pausedUntil({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': seconds(60) }, now)).toEqual(
      later(60_000),
    );
    expect(
      pausedUntil({ 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': seconds(60) }, now),
    ).toBeUndefined();
    expect(pausedUntil({}, now)).toBeUndefined();
  });
});

describe('failures', () => {
  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [410, 'not_found'],
    [400, 'invalid'],
    [409, 'invalid'],
    [422, 'invalid'],
  ])('%i is %s, at once', (status, code) => {
    expect(decide(reply(status), at())).toMatchObject({ act: 'fail', error: { code, status } });
  });

  it('are repeated with growing, random pauses, only if that is safe', () => {
    for (const status of [500, 502, 503, 504, 408]) {
      expect(decide(reply(status), at(1, true, 0))).toEqual({ act: 'retry', afterMs: 250 });
      expect(decide(reply(status), at(3, true, 1))).toEqual({ act: 'retry', afterMs: 2000 });
      expect(decide(reply(status), at(MAX_ATTEMPTS))).toMatchObject({ error: { code: 'unavailable' } });
      expect(decide(reply(status), at(1, false))).toMatchObject({
        act: 'fail',
        error: { code: 'unavailable' },
      });
    }
    expect(decide(reply(503, { 'retry-after': '3' }), at(1, false))).toEqual({ act: 'retry', afterMs: 3000 });
    const cut = { kind: 'failed', sent: true, why: 'x' } as const;
    expect(decide(cut, at(1, true)).act).toBe('retry');
    expect(decide(cut, at(1, false)).act).toBe('fail');
    expect(decide({ ...cut, sent: false }, at(1, false)).act).toBe('retry');
  });
});

it('never waits longer than it may, never forever, and never repeats what may have been done', () => {
  const headers = fc.dictionary(
    fc.constantFrom(
      'retry-after',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'ratelimit-remaining',
      'ratelimit-reset',
    ),
    fc.oneof(
      fc.string(),
      fc.nat().map(String),
      fc.constantFrom('0', '-5', '1e9', 'Thu, 01 Jan 1970 00:00:00 GMT'),
    ),
  );
  const attempted: fc.Arbitrary<Attempted> = fc.oneof(
    fc.record({
      kind: fc.constant('reply' as const),
      status: fc.integer({ min: 400, max: 599 }),
      headers,
      message: fc.string(),
    }),
    fc.record({ kind: fc.constant('failed' as const), sent: fc.boolean(), why: fc.string() }),
  );
  fc.assert(
    fc.property(
      attempted,
      fc.integer({ min: 1, max: 6 }),
      fc.boolean(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (what, attempt, repeatable, random) => {
        const decision = decide(what, { attempt, repeatable, now, random });
        if (decision.act === 'retry') {
          expect(attempt).toBeLessThan(MAX_ATTEMPTS);
          expect(decision.afterMs).toBeGreaterThan(0);
          expect(decision.afterMs).toBeLessThanOrEqual(MAX_WAIT_MS);
          const mayBeDone = what.kind === 'failed' ? what.sent : what.status >= 500 && what.status !== 503;
          expect(mayBeDone && !repeatable).toBe(false);
        } else if (decision.act === 'fail' && decision.error.until) {
          const pause = decision.error.until.getTime() - now.getTime();
          expect(pause).toBeGreaterThanOrEqual(1000);
          expect(pause).toBeLessThanOrEqual(86_400_000);
        }
      },
    ),
    { numRuns: 2000 },
  );
});
