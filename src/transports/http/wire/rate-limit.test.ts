/** Rate limits and their headers over real HTTP. */
import { describe, expect, it } from 'vitest';
import {
  type Answer,
  startTestService,
  withKey,
  withSession,
} from '../../../../test/helpers/service/harness.ts';

const start = (perKey: number, perAddress: number, more: Record<string, string> = {}) =>
  startTestService({
    settings: {
      RATE_LIMIT: 'on',
      RATE_LIMIT_PER_KEY: String(perKey),
      RATE_LIMIT_PER_ADDRESS: String(perAddress),
      ...more,
    },
  });

const numbersOf = ({ headers }: Answer) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)));

describe('200', () => {
  it('reports the remaining requests each time', async () => {
    const { acme, request } = await start(5, 5);
    const as = withSession(acme.member);
    for (const left of [4, 3, 2, 1, 0]) {
      const answer = await request('GET', '/api/v2/session', { as });
      expect(answer.status).toBe(200);
      const [limit, remaining, reset] = numbersOf(answer);
      expect([limit, remaining]).toEqual([5, left]);
      expect(reset).toBeGreaterThanOrEqual(1);
      expect(reset).toBeLessThanOrEqual(60);
    }
  });

  it('counts each key and each session separately', async () => {
    const { acme, request } = await start(2, 2);
    for (const person of [acme.member, acme.viewer, acme.owner]) {
      for (const left of [1, 0]) {
        expect(numbersOf(await request('GET', '/api/v2/session', { as: withSession(person) }))[1]).toBe(left);
      }
      expect(numbersOf(await request('GET', '/api/v2/nothing', { as: withKey(person) }))[1]).toBe(1);
    }
  });

  it('has no limit when rate limiting is off', async () => {
    const { request } = await start(1, 1, { RATE_LIMIT: 'off' });
    for (let count = 0; count < 5; count += 1) {
      const answer = await request('GET', '/api/v2/setup');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('ratelimit-limit')).toBeNull();
    }
  });

  it('does not count health checks and metrics', async () => {
    const { request } = await start(1, 1);
    for (let count = 0; count < 5; count += 1) {
      expect((await request('GET', '/healthz')).status).toBe(200);
      expect((await request('GET', '/readyz')).status).toBe(200);
      expect((await request('GET', '/metrics')).status).toBe(200);
    }
  });
});

describe('429', () => {
  it('is returned to a key beyond its limit, with the time to wait', async () => {
    const { acme, request } = await start(2, 100);
    const send = () => request('POST', '/api/v2/mcp-sessions/events', { as: withKey(acme.member), body: {} });
    expect((await send()).status).toBe(400);
    expect((await send()).status).toBe(400);
    const answer = await send();
    expect(answer.status).toBe(429);
    expect(answer.body).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    const [limit, remaining, reset] = numbersOf(answer);
    expect([limit, remaining]).toEqual([2, 0]);
    expect(Number(answer.headers.get('retry-after'))).toBe(reset);
  });

  it('counts by address requests without a valid credential, including unknown paths and methods', async () => {
    const { request } = await start(100, 4);
    expect((await request('GET', '/api/v2/nothing')).status).toBe(404);
    expect((await request('PUT', '/api/v2/session')).status).toBe(405);
    expect((await request('GET', '/api/v2/session', { as: { key: 'x' } })).status).toBe(401);
    expect((await request('GET', '/%')).status).toBe(400);
    for (const [method, path] of [
      ['GET', '/api/v2/nothing'],
      ['PUT', '/api/v2/session'],
      ['GET', '/api/v2/setup'],
      ['GET', '/%'],
    ] as const) {
      expect((await request(method, path)).status, path).toBe(429);
    }
  });

  it('does not affect callers with a valid credential when the limit of their address is reached', async () => {
    const { acme, request } = await start(100, 1);
    expect((await request('GET', '/api/v2/nothing')).status).toBe(404);
    expect((await request('GET', '/api/v2/nothing')).status).toBe(429);
    expect((await request('GET', '/api/v2/session', { as: withSession(acme.member) })).status).toBe(200);
  });

  it('counts by the address from a trusted proxy, separately for each', async () => {
    const { request } = await start(100, 1, { TRUSTED_PROXIES: '127.0.0.1' });
    const from = (address: string) =>
      request('GET', '/api/v2/setup', { headers: { 'x-forwarded-for': address } });
    expect((await from('203.0.113.1')).status).toBe(200);
    expect((await from('203.0.113.1')).status).toBe(429);
    expect((await from('203.0.113.2')).status).toBe(200);
    expect((await from('2001:db8::1')).status).toBe(200);
    expect((await from('2001:db8::ffff')).status).toBe(429);
    expect((await from('2001:db8:0:1::1')).status).toBe(200);
  });

  it('cannot be avoided with a forged X-Forwarded-For', async () => {
    const { request } = await start(100, 1);
    const from = (address: string) =>
      request('GET', '/api/v2/setup', { headers: { 'x-forwarded-for': address } });
    expect((await from('203.0.113.1')).status).toBe(200);
    expect((await from('203.0.113.2')).status).toBe(429);
  });
});
