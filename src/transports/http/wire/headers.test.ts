/** Reply headers over real HTTP (compression, caching, security), and X-Forwarded-For. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startTestService, type TestService, withKey } from '../../../../test/helpers/service/harness.ts';
import { sampleOperations } from '../../../../test/helpers/service/sample-operations.ts';
import { operations } from '../../../operations.ts';

const service = await startTestService({ operations: [...operations, ...sampleOperations] });
const as = withKey(service.acme.member);

/** The reply as it was sent; fetch would decompress it. */
async function getLarge(size: number, encoding?: string) {
  const headers = { 'x-api-key': service.acme.member.key, ...(encoding && { 'accept-encoding': encoding }) };
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    httpRequest(`${service.url}/api/v2/test/large-thing?size=${size}`, { headers }, resolve)
      .on('error', reject)
      .end(),
  );
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
}

describe('compression', () => {
  it.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip;q=1.0, identity;q=0.5', 'gzip', gunzipSync],
  ] as const)('of a large reply follows Accept-Encoding: %s', async (asked, used, decompress) => {
    const { headers, bytes } = await getLarge(5000, asked);
    expect(headers['content-encoding']).toBe(used);
    expect(headers.vary).toMatch(/accept-encoding/i);
    expect(bytes.length).toBeLessThan(1000);
    expect(JSON.parse(decompress(bytes).toString()).text).toHaveLength(5000);
  });

  it.each([undefined, 'identity', 'deflate', 'zstd', 'nonsense', 'gzip;q=0', 'identity;q=0, nonsense'])(
    'is not used when the client accepts no supported encoding: %s',
    async (asked) => {
      const { status, headers, bytes } = await getLarge(5000, asked);
      expect(status).toBe(200);
      expect(headers['content-encoding']).toBeUndefined();
      expect(JSON.parse(bytes.toString()).text).toHaveLength(5000);
    },
  );

  it('is not used for a small reply', async () => {
    const { headers, bytes } = await getLarge(500, 'br, gzip');
    expect(headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(bytes.toString()).text).toHaveLength(500);
  });
});

describe('caching', () => {
  it('is disabled for replies of operations, including errors', async () => {
    const path = '/api/v2/test/large-thing';
    for (const [query, status] of [
      ['?size=10', 200],
      ['', 400],
    ] as const) {
      const answer = await service.request('GET', path + query, { as });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    const event = { sessionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab', eventType: 'x' };
    const recorded = await service.request('POST', '/api/v2/mcp-sessions/events', { as, body: event });
    expect(recorded.status).toBe(204);
    expect(recorded.headers.get('cache-control')).toBe('no-store');
  });
});

describe('security headers', () => {
  const paths = ['/api/v2/test/large-thing?size=1', '/api/v2/nothing', '/healthz', '/%', '/docs'];
  it.each(paths)('come with every reply: %s', async (path) => {
    const { headers } = await service.request('GET', path, { as });
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
  });

  it('require HTTPS in browsers only if the service uses HTTPS', async () => {
    expect((await service.request('GET', '/healthz')).headers.get('strict-transport-security')).toBeNull();
    const secure = await startTestService({ settings: { BASE_URL: 'https://review.acme.test' } });
    const { headers } = await secure.request('GET', '/healthz');
    expect(headers.get('strict-transport-security')).toMatch(/max-age=31536000/);
  });

  it('let no other site read a reply', async () => {
    const headers = { origin: 'https://other.example' };
    const answer = await service.request('GET', '/api/v2/test/large-thing?size=1', { as, headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('X-Forwarded-For', () => {
  const addressOf = async (of: TestService, forwarded: string) => {
    const { headers } = await of.request('GET', '/api/v2/nothing', {
      headers: { 'x-forwarded-for': forwarded },
    });
    const id = headers.get('x-request-id')!;
    return JSON.parse(of.logLines.find((line) => line.includes(id))!).address;
  };

  it('is ignored when no proxy is trusted', async () => {
    expect(await addressOf(service, '203.0.113.9')).toBe('127.0.0.1');
  });

  it('is used from a trusted proxy, up to the first untrusted address', async () => {
    const behind = await startTestService({ settings: { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' } });
    expect(await addressOf(behind, '203.0.113.9')).toBe('203.0.113.9');
    expect(await addressOf(behind, '198.51.100.1, 203.0.113.9, 10.1.2.3')).toBe('203.0.113.9');
  });

  it('is ignored from an untrusted proxy', async () => {
    const behind = await startTestService({ settings: { TRUSTED_PROXIES: '10.0.0.0/8' } });
    expect(await addressOf(behind, '203.0.113.9')).toBe('127.0.0.1');
  });
});
