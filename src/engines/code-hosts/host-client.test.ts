/** The client against real servers that are slow, huge, wrong, limited or gone. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { testEnvironment } from '../../../test/code-hosts/test-environment.ts';
import {
  createConnections,
  createHostClient,
  type HostClientOptions,
  type HostRequest,
} from './host-client.ts';
import type { HostError } from './host-error.ts';

const TOKEN = 'ghp_very-secret';
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let received: { method: string; url: string; authorization: string | undefined }[];
const server = createServer((request, response) => {
  const { authorization } = request.headers;
  received.push({ method: request.method!, url: request.url!, authorization });
  request.resume();
  answer(request, response);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const connections = createConnections();
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

let environment: ReturnType<typeof testEnvironment>;
let pause: HostClientOptions['pause'];
beforeEach(() => {
  environment = testEnvironment();
  pause = { until: null };
  received = [];
  answer = (_, response) => void response.end('{"ok":true}');
});

function send(request: Partial<HostRequest> = {}, options: Partial<HostClientOptions> = {}) {
  const client = createHostClient({
    baseUrl: url,
    headers: { authorization: `Bearer ${TOKEN}` },
    secrets: [TOKEN],
    pause,
    connections,
    environment,
    signal: new AbortController().signal,
    ...options,
  });
  return client({ path: '/x', ...request });
}
async function failure(
  request: Partial<HostRequest> = {},
  options: Partial<HostClientOptions> = {},
): Promise<HostError> {
  const error = await send(request, options).then(
    () => expect.fail('it should have failed'),
    (reason: unknown) => reason as HostError,
  );
  expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(TOKEN);
  return error;
}
const always = (status: number, headers: Record<string, string> = {}, body = '{}') => {
  answer = (_, response) => void response.writeHead(status, headers).end(body);
};

describe('replies', () => {
  it('are read as JSON, compressed or not, on connections that are used again', async () => {
    expect((await send()).json).toEqual({ ok: true });
    answer = (_, response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('[1]'));
    expect((await send()).json).toEqual([1]);
    always(204, {}, '');
    expect((await send({ method: 'DELETE' })).json).toBeUndefined();
    const open = await new Promise<number>((done) => server.getConnections((_, count) => done(count)));
    expect(open).toBe(1);
  });

  it('that are endless end at the limit', async () => {
    let sent = 0;
    answer = (_, response) => {
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const write = () => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      };
      response.on('drain', write);
      write();
    };
    expect(await failure()).toMatchObject({ code: 'unexpected_reply' });
    expect(sent).toBeLessThan(24 * 1024 * 1024);
  });

  it('that grow when decompressed end at the limit too', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    answer = (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    expect(await failure()).toMatchObject({ code: 'unexpected_reply' });
  });

  it.each([
    ['a page', {}, '<html>'],
    ['another encoding', { 'content-encoding': 'br' }, '{}'],
    ['broken gzip', { 'content-encoding': 'gzip' }, '{}'],
  ])('that are %s are refused', async (_, headers, body) => {
    always(200, headers as Record<string, string>, body);
    expect(await failure()).toMatchObject({ code: 'unexpected_reply' });
    expect(received).toHaveLength(1);
  });

  it('that never come are given up, after some attempts', async () => {
    answer = () => undefined;
    expect(await failure({}, { timeoutMs: 40 })).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('0.04 seconds'),
    });
    expect(received).toHaveLength(4);
    expect(environment.slept).toEqual([375, 750, 1500]);
  });

  it('that stop in the middle count as none', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"a":');
      response.destroy();
    };
    expect(await failure()).toMatchObject({ code: 'unavailable' });
    received = [];
    expect(await failure({ method: 'POST', body: {} })).toMatchObject({ code: 'unavailable' });
    expect(received).toHaveLength(1);
  });

  it('that echo the token lose it', async () => {
    always(422, {}, JSON.stringify({ message: `Bad ${TOKEN}\n\u0007line`, errors: [{ field: TOKEN }] }));
    const error = await failure();
    expect(error).toMatchObject({ code: 'invalid', status: 422 });
    expect(error.message).toContain('Bad [secret] line');
    always(422, {}, JSON.stringify({ message: 'x'.repeat(10_000) }));
    expect((await failure()).message.length).toBeLessThan(400);
  });
});

describe('redirects', () => {
  it('within the host are followed for reading, a few times', async () => {
    answer = (request, response) =>
      void (request.url === '/new'
        ? response.end('{"ok":true}')
        : response.writeHead(301, { location: '/new' }).end());
    expect((await send()).json).toEqual({ ok: true });
    expect(await failure({ method: 'POST', body: {} })).toMatchObject({ code: 'invalid' });
    always(302, { location: '/x' });
    received = [];
    expect(await failure()).toMatchObject({ code: 'invalid' });
    expect(received).toHaveLength(4);
  });

  it.each([
    'http://169.254.169.254/latest',
    'http://localhost:1/',
    'https://evil.example/',
    '//evil.example',
    'file:///etc/passwd',
  ])('to %s are refused, so the token stays here', async (location) => {
    always(302, { location });
    expect(await failure()).toMatchObject({ code: 'invalid' });
    expect(received).toHaveLength(1);
  });
});

it('refuses a token that can’t be part of a header, without naming it', async () => {
  for (const token of ['with\nnewline', 'with\u0000null', 'grün'])
    expect(await failure({}, { headers: { authorization: token } })).toMatchObject({ code: 'unauthorized' });
  expect(received).toEqual([]);
});

describe('addresses', () => {
  it('that are private, or without TLS, need the operator’s permission', async () => {
    const strict = { environment: { ...environment, allowPrivateAddresses: false } };
    expect(await failure({}, strict)).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('https'),
    });
    for (const baseUrl of [
      'https://127.0.0.1:1',
      'https://[::1]:1',
      'https://10.0.0.1',
      'https://localhost:1',
    ])
      expect(await failure({}, { ...strict, baseUrl })).toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('private'),
      });
    expect(received).toEqual([]);
  });

  it('where nobody listens are tried again, also for posting', async () => {
    const closed = createSocketServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    await new Promise((done) => closed.close(done));
    const error = await failure({ method: 'POST', body: {} }, { baseUrl: `http://127.0.0.1:${port}` });
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('ECONNREFUSED') });
    expect(environment.slept).toHaveLength(3);
  });
});

describe('limits', () => {
  it('that end soon are waited for', async () => {
    answer = (_, response) =>
      void (received.length === 1
        ? response.writeHead(429, { 'retry-after': '5' }).end('{}')
        : response.end('{"ok":true}'));
    expect((await send({ method: 'POST', body: {} })).json).toEqual({ ok: true });
    expect(environment.slept).toEqual([5125]);
  });

  it('that end later stop everything that uses the credential, until then', async () => {
    always(429, { 'retry-after': '3600' });
    const { until } = await failure();
    expect(until!.getTime() - environment.clock.now().getTime()).toBe(3_600_000);
    expect(await failure({ path: '/other' })).toMatchObject({ code: 'rate_limited', until });
    expect(received).toHaveLength(1);
    environment.advance(3_600_000);
    always(200, {}, '{"ok":true}');
    expect((await send()).json).toEqual({ ok: true });
  });

  it('are obeyed before the host has to refuse', async () => {
    const reset = Math.ceil(environment.clock.now().getTime() / 1000) + 600;
    always(200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) });
    await send();
    expect(await failure()).toMatchObject({ code: 'rate_limited', until: new Date(reset * 1000) });
    expect(received).toHaveLength(1);
  });
});

it('stops at once when the work is no longer wanted', async () => {
  answer = () => undefined;
  const controller = new AbortController();
  const work = send({}, { signal: controller.signal });
  controller.abort(new DOMException('enough', 'AbortError'));
  await expect(work).rejects.toMatchObject({ name: 'AbortError' });
  await expect(send({}, { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
});
