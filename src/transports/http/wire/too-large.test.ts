/** Refused bodies: clients receive the reply, and little of what they go on to send is read. */
import { execFile } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestService, withKey } from '../../../../test/helpers/service/harness.ts';
import { openRaw, rawRequest } from '../../../../test/helpers/service/raw-http.ts';
import { sampleOperations } from '../../../../test/helpers/service/sample-operations.ts';
import { operations } from '../../../operations.ts';

const LIMIT = 2 * 1024 * 1024;
const MIB = 1024 * 1024;
const MISSING = '0198c1f2-7a3b-7c4d-8e5f-0123456789ac';
const PATH = '/api/v2/test/things/0198c1f2-7a3b-7c4d-8e5f-0123456789ab';

const service = await startTestService({ operations: [...sampleOperations, ...operations] });
const { key } = service.acme.member;
const as = withKey(service.acme.member);
/** Emits the service's side of each new connection. */
const incoming = new EventEmitter();
subscribe(
  'net.server.socket',
  (message) => void incoming.emit('socket', (message as { socket: Socket }).socket),
);
const folder = mkdtempSync(join(tmpdir(), 'countersign-too-large-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = promisify(execFile);
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
);

/** Valid JSON of exactly this many bytes that changes nothing. */
const bodyOf = (bytes: number) => Buffer.from(`{${' '.repeat(bytes - 2)}}`);

const headersOf = (more: Record<string, string> = {}) => ({
  'x-api-key': key,
  'content-type': 'application/json',
  ...more,
});

async function sendByNode(body: Buffer, headers: Record<string, string>) {
  const request = httpRequest(service.url + PATH, { method: 'PATCH', headers: headersOf(headers) });
  const replied = once(request, 'response') as Promise<[IncomingMessage]>;
  // The service stops receiving after its reply, so sending the rest may fail.
  request.on('error', () => undefined);
  if (headers.expect) await Promise.race([once(request, 'continue'), replied]);
  request.end(body);
  const [response] = await replied;
  return { status: response.statusCode, body: JSON.parse(await text(response)) };
}

async function sendBeforeReading(headers: Record<string, string>, body: Buffer) {
  const connection = await openRaw(service.url);
  connection.socket.pause();
  await connection.write(rawRequest(`PATCH ${PATH}`, headers));
  await connection.write(body);
  connection.socket.resume();
  const answer = await connection.answer();
  connection.socket.destroy();
  return answer;
}

describe('200', () => {
  it('accepts a body of exactly the limit, by Content-Length and chunked', async () => {
    const options = { as, body: bodyOf(LIMIT), headers: { 'content-type': 'application/json' } };
    expect((await service.request('PATCH', PATH, options)).status).toBe(200);
    expect(await sendByNode(bodyOf(LIMIT), { 'transfer-encoding': 'chunked' })).toMatchObject({
      status: 200,
    });
  });
});

describe('413', () => {
  const TOO_LARGE = { status: 413, body: { code: 'payload_too_large', status: 413 } };

  it.each([LIMIT + 1, 10 * MIB, 50 * MIB])('is received by fetch with a body of %d bytes', async (bytes) => {
    const options = { as, body: bodyOf(bytes), headers: { 'content-type': 'application/json' } };
    const answer = await service.request('PATCH', PATH, options);
    expect(answer).toMatchObject(TOO_LARGE);
    expect(answer.body.detail).toContain('2,097,152 bytes');
  });

  it.each([LIMIT + 1, 50 * MIB])('is received by node:http with a body of %d bytes', async (bytes) => {
    expect(await sendByNode(bodyOf(bytes), {})).toMatchObject(TOO_LARGE);
    expect(await sendByNode(bodyOf(bytes), { 'transfer-encoding': 'chunked' })).toMatchObject(TOO_LARGE);
  });

  it('is received by node:http waiting for 100-continue', async () => {
    const headers = { expect: '100-continue', 'content-length': String(10 * MIB) };
    expect(await sendByNode(bodyOf(10 * MIB), headers)).toMatchObject(TOO_LARGE);
  });

  it('is received by a socket that sends everything before it reads', async () => {
    const size = LIMIT + 700_000;
    const body = [`${size.toString(16)}\r\n`, bodyOf(size), '\r\n0\r\n\r\n'].map((part) => Buffer.from(part));
    const headers = headersOf({ 'Transfer-Encoding': 'chunked' });
    const answer = await sendBeforeReading(headers, Buffer.concat(body));
    expect({ status: answer.status, body: answer.json() }).toMatchObject(TOO_LARGE);
  });

  it.skipIf(!hasCurl).each([
    ['with Expect: 100-continue', []],
    ['that sends immediately', ['-H', 'Expect:']],
    ['that sends a chunked body', ['-H', 'Transfer-Encoding: chunked']],
  ])('is received by curl %s', async (_, options) => {
    const file = join(folder, 'body.json');
    writeFileSync(file, bodyOf(20 * MIB));
    const headers = Object.entries(headersOf()).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const { stdout } = await run('curl', [
      '-sS',
      '-X',
      'PATCH',
      ...headers,
      ...options,
      '--data-binary',
      `@${file}`,
      '-w',
      '\n%{http_code}',
      service.url + PATH,
    ]);
    const [body, status] = stdout.split('\n');
    expect({ status: Number(status), body: JSON.parse(body!) }).toMatchObject(TOO_LARGE);
  });
});

describe('a short body that is refused', () => {
  it.each([
    [401, { 'Content-Type': 'application/json' }],
    [415, headersOf({ 'content-type': 'text/plain' })],
  ])('is read and dropped, and its client receives the %d', async (status, headers) => {
    const answer = await sendBeforeReading({ ...headers, 'Content-Length': '800000' }, bodyOf(800_000));
    expect(answer.status).toBe(status);
  });

  it('leaves the connection usable for the next request', async () => {
    const connection = await openRaw(service.url);
    await connection.write(rawRequest(`PATCH ${PATH}`, { 'Content-Length': '800000' }));
    await connection.write(bodyOf(800_000));
    expect((await connection.answer()).status).toBe(401);
    await connection.write(rawRequest(`PATCH ${PATH}`, headersOf(), '{"name":"a"}'));
    expect((await connection.answer()).json().change).toEqual({ name: 'a' });
    connection.socket.destroy();
  });
});

describe('a request is refused before any of its body is sent', () => {
  const LARGE = { 'Content-Length': String(1_800_000) };
  it.each([
    [404, 'an unknown path', 'POST /api/v2/nothing', LARGE],
    [405, 'a method that the path does not have', 'PUT /api/v2/session', LARGE],
    [401, 'no credential', `PATCH ${PATH}`, LARGE],
    [413, 'its size', `PATCH ${PATH}`, headersOf({ 'Content-Length': String(LIMIT + 1) })],
    [413, 'its size without a credential', 'POST /api/v2/session', { 'Content-Length': '65537' }],
    [415, 'its type', `PATCH ${PATH}`, headersOf({ ...LARGE, 'content-type': 'text/plain' })],
    [404, 'an unknown code host', `POST /api/v2/code-hosts/${MISSING}/webhook`, LARGE],
    [400, 'a malformed id of a code host', 'POST /api/v2/code-hosts/1/webhook', LARGE],
    [404, 'an unknown subscription', 'POST /api/v2/mail/unsubscribe/none', LARGE],
    [404, 'an unknown organization', `POST /api/v2/single-sign-on/${MISSING}/logout`, LARGE],
  ])('%d: %s', async (status, _, line, headers) => {
    const connection = await openRaw(service.url);
    await connection.write(rawRequest(line, headers));
    expect((await connection.answer()).status).toBe(status);
    connection.socket.destroy();
  });

  it('and is not told to continue', async () => {
    const connection = await openRaw(service.url);
    let received = '';
    connection.socket.on('data', (bytes: Buffer) => {
      received += bytes.toString();
    });
    await connection.write(rawRequest(`PATCH ${PATH}`, { ...LARGE, Expect: '100-continue' }));
    await connection.closed;
    expect(received).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('after the reply', () => {
  it.each([
    ['of the same length', 0, { 'Content-Length': String(50 * MIB) }],
    ['without an end', LIMIT, headersOf({ 'Transfer-Encoding': 'chunked' })],
  ])('at most 1 MB of a body %s is read, and the connection closes', async (_, readBefore, headers) => {
    const accepted = once(incoming, 'socket') as Promise<[Socket]>;
    const connection = await openRaw(service.url);
    const [socket] = await accepted;
    await connection.write(rawRequest(`PATCH ${PATH}`, headers));
    const piece = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(MIB, ' '), Buffer.from('\r\n')]);
    const closed = once(socket, 'close');
    const send = () => {
      while (connection.socket.writable && connection.socket.write(piece));
    };
    connection.socket.on('drain', send).on('error', () => undefined);
    send();
    await closed;
    expect(socket.bytesRead - readBefore).toBeGreaterThan(700_000);
    expect(socket.bytesRead - readBefore).toBeLessThan(1_100_000);
    connection.socket.destroy();
  });
});
