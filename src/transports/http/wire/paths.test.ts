/** Unknown paths and methods, malformed URLs and malformed HTTP. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { startTestService, withKey } from '../../../../test/helpers/service/harness.ts';
import { openRaw, rawRequest, sendRaw } from '../../../../test/helpers/service/raw-http.ts';
import { getThing, sampleOperations } from '../../../../test/helpers/service/sample-operations.ts';
import { operations } from '../../../operations.ts';

const service = await startTestService({ operations: [...operations, ...sampleOperations] });
const as = withKey(service.acme.member);
const THING = '/api/v2/test/things/0198c1f2-7a3b-7c4d-8e5f-0123456789ab';

/** Sends any method, including those that fetch refuses. */
function send(method: string, path: string, body?: string) {
  return new Promise<{ status: number; headers: IncomingMessage['headers']; text: string }>(
    (resolve, reject) => {
      const headers = {
        'x-api-key': service.acme.member.key,
        ...(body && { 'content-type': 'text/plain', 'content-length': body.length }),
      };
      const request = httpRequest(service.url, { method, path, headers }, async (response) =>
        resolve({ status: response.statusCode!, headers: response.headers, text: await text(response) }),
      );
      request.on('error', reject).end(body);
    },
  );
}

describe('200', () => {
  it('supports HEAD for every GET, with the headers and no body', async () => {
    const get = await send('GET', THING);
    const head = await send('HEAD', THING);
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers['content-type']).toBe(get.headers['content-type']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  it('accepts a percent-encoded path', async () => {
    expect((await send('GET', THING.replace('things', '%74hings'))).status).toBe(200);
  });

  it('accepts a request target in absolute form', async () => {
    expect((await send('GET', `http://example.com${THING}`)).status).toBe(200);
  });
});

describe('400', () => {
  it.each(['%', '/%', '/api/v2/%zz', '/api/v2/test/things/%E0%A4%A', '/api/v2/test/things/%ff', '/x?a=%f'])(
    'refuses a URL with invalid percent-encoding: %s',
    async (path) => {
      const answer = await send('GET', path);
      expect(answer.status).toBe(400);
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
      const problem = JSON.parse(answer.text);
      expect(problem.code).toBe('invalid_request');
      expect(problem.requestId).toBe(answer.headers['x-request-id']);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    },
  );

  it.each([
    ['not a request', 'hello\r\n\r\n'],
    ['an unknown method', rawRequest('FROB /')],
    ['a space in the path', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost: x\r\nX-Api-Key : a\r\n\r\n'],
    [
      'two Content-Length headers',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ],
    [
      'Content-Length with Transfer-Encoding',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a negative Content-Length', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ])('replies to malformed HTTP with a problem and closes the connection: %s', async (_, bytes) => {
    const connection = await openRaw(service.url);
    await connection.write(Buffer.from(bytes, 'latin1'));
    const answer = await connection.answer();
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.json()).toMatchObject({ code: 'invalid_request', status: 400 });
    expect(answer.json().requestId).toBe(answer.headers['x-request-id']);
    expect(service.logLines.join('')).toContain(answer.json().requestId);
    connection.socket.end();
    await connection.closed;
  });

  it.each([
    ['no Host', '', 'is required in HTTP/1.1'],
    ['two Host headers', 'Host: localhost\r\nhost: evil.example\r\n', 'must be sent only once'],
    ['the same Host twice', 'Host: localhost\r\nHost: localhost\r\n', 'must be sent only once'],
  ])('for HTTP/1.1 with %s', async (_, hosts, message) => {
    const answer = await sendRaw(service.url, `GET /healthz HTTP/1.1\r\n${hosts}\r\n`);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'invalid_request', errors: [{ path: 'Host', message }] });
  });
});

describe('404', () => {
  it.each([
    '/',
    '/api',
    '/api/v2',
    '/api/v2/nothing',
    '/api/v1/session',
    '/API/V2/session',
    '/api/v2/session/',
    '/api/v2//session',
    '//api/v2/session',
    '/api/v2/../v2/session',
    '/api/v2/%2e%2e/v2/session',
    '/../../etc/passwd',
    '/..%2f..%2fetc%2fpasswd',
    '/docs/assets/../../package.json',
    '/docs/assets/..%2f..%2fserver.ts',
    '/docs/assets/%2e%2e/server.ts',
    '/api/v2/session;jsessionid=1',
    '/api/v2/session%00',
    '/unreadable-address',
    '/__proto__',
    '/constructor',
  ])('is returned for an unknown path: %s', async (path) => {
    const answer = await send('GET', path);
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.headers.allow).toBeUndefined();
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'not_found', status: 404 });
  });

  it('is returned for a very long path, without repeating all of it', async () => {
    const answer = await send('GET', `/${'a'.repeat(12_000)}`);
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text).detail.length).toBeLessThan(300);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE'])(
    'is returned for an unknown path before the body is read: %s',
    async (method) => {
      const answer = await send(method, '/api/v2/nothing', method === 'TRACE' ? undefined : 'not JSON');
      expect(answer.status).toBe(404);
    },
  );
});

describe('405', () => {
  it.each(['PUT', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE', 'REPORT', 'QUERY'])(
    'lists the methods of a known path: %s',
    async (method) => {
      const answer = await send(method, THING);
      expect(answer.status).toBe(405);
      expect(answer.headers.allow?.split(', ').toSorted()).toEqual(['GET', 'HEAD', 'PATCH']);
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'method_not_allowed', status: 405 });
    },
  );

  it('is returned before the body is read', async () => {
    expect((await send('PUT', THING, 'not JSON')).status).toBe(405);
  });

  it('is returned for HEAD where there is no GET', async () => {
    const answer = await send('HEAD', '/api/v2/mcp-sessions/events');
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('POST');
    expect(answer.text).toBe('');
  });

  it('is returned for a percent-encoded path too', async () => {
    expect((await send('PUT', THING.replace('things', '%74hings'))).status).toBe(405);
  });

  it.each(['/healthz', '/readyz', '/metrics', '/docs', '/docs/errors', '/api/v2/openapi.json'])(
    'is returned for paths that are not operations: %s',
    async (path) => {
      const answer = await send('POST', path, 'x');
      expect(answer.status).toBe(405);
      expect(answer.headers.allow?.split(', ').toSorted()).toEqual(['GET', 'HEAD']);
    },
  );

  it('is never returned for a method that the operation has', async () => {
    const long = await service.call(getThing, { thingId: 'x'.repeat(5000) }, as);
    expect(long.status).toBe(400);
  });
});

describe('431', () => {
  it.each([
    ['a header', rawRequest('GET /healthz', { 'X-Long': 'a'.repeat(20_000) })],
    [
      'many headers',
      rawRequest(
        'GET /healthz',
        Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`X-${i}`, 'a'.repeat(20)])),
      ),
    ],
    ['the path', rawRequest(`GET /${'a'.repeat(20_000)}`)],
  ])('is returned for more than 16 KiB: %s', async (_, bytes) => {
    const answer = await sendRaw(service.url, bytes);
    expect(answer.status).toBe(431);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.json()).toMatchObject({ code: 'header_too_large', status: 431 });
  });
});
