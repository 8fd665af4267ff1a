/** Every kind of client receives the 413, including clients that send everything before they read. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestService, withKey } from '../../../../test/harness.ts';
import { openRaw, rawRequest } from '../../../../test/raw-http.ts';
import { sampleOperations } from '../../../../test/sample-operations.ts';

const LIMIT = 2 * 1024 * 1024;
const MIB = 1024 * 1024;
const PATH = '/api/v2/test/things/0198c1f2-7a3b-7c4d-8e5f-0123456789ab';

const service = await startTestService({ operations: sampleOperations });
const { key } = service.acme.member;
const as = withKey(service.acme.member);
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
  if (headers.expect) await Promise.race([once(request, 'continue'), replied]);
  request.end(body);
  const [response] = await replied;
  return { status: response.statusCode, body: JSON.parse(await text(response)) };
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

  it.each([
    ['by Content-Length', { 'Content-Length': String(20 * MIB) }, bodyOf(20 * MIB)],
    [
      'in one chunk',
      { 'Transfer-Encoding': 'chunked' },
      Buffer.concat([
        Buffer.from(`${(20 * MIB).toString(16)}\r\n`),
        bodyOf(20 * MIB),
        Buffer.from('\r\n0\r\n\r\n'),
      ]),
    ],
  ])('is received by a socket that sends everything before it reads, %s', async (_, headers, body) => {
    const connection = await openRaw(service.url);
    connection.socket.pause();
    await connection.write(rawRequest(`PATCH ${PATH}`, headersOf(headers)));
    await connection.write(body);
    connection.socket.resume();
    const answer = await connection.answer();
    expect({ status: answer.status, body: answer.json() }).toMatchObject(TOO_LARGE);
    connection.socket.destroy();
  });

  it('leaves the connection usable for the next request if the body was read to its end', async () => {
    const connection = await openRaw(service.url);
    const size = { 'Content-Length': String(4 * MIB) };
    await connection.write(rawRequest(`PATCH ${PATH}`, headersOf(size)));
    await connection.write(bodyOf(4 * MIB));
    expect((await connection.answer()).status).toBe(413);
    await connection.write(rawRequest(`PATCH ${PATH}`, headersOf(), '{"name":"a"}'));
    expect((await connection.answer()).json().change).toEqual({ name: 'a' });
    connection.socket.destroy();
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

describe('401', () => {
  it('is received by a client that sends a large body before it reads, and the body is discarded', async () => {
    const connection = await openRaw(service.url);
    connection.socket.pause();
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(20 * MIB) };
    await connection.write(rawRequest(`PATCH ${PATH}`, headers));
    await connection.write(bodyOf(20 * MIB));
    connection.socket.resume();
    expect((await connection.answer()).status).toBe(401);
    connection.socket.destroy();
  });
});

describe('415', () => {
  it('is received by a client that sends a large body before it reads', async () => {
    const connection = await openRaw(service.url);
    connection.socket.pause();
    const headers = headersOf({ 'content-type': 'text/plain', 'Content-Length': String(20 * MIB) });
    await connection.write(rawRequest(`PATCH ${PATH}`, headers));
    await connection.write(bodyOf(20 * MIB));
    connection.socket.resume();
    expect((await connection.answer()).status).toBe(415);
    connection.socket.destroy();
  });
});

describe('an endless upload', () => {
  it('is aborted after 100 MB and uses little memory', async () => {
    const connection = await openRaw(service.url);
    const gone = connection.closed;
    await connection.write(rawRequest(`PATCH ${PATH}`, headersOf({ 'Transfer-Encoding': 'chunked' })));
    const piece = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(MIB, ' '), Buffer.from('\r\n')]);
    let sent = 0;
    let ended = false;
    let most = 0;
    void gone.then(() => {
      ended = true;
    });
    const before = process.memoryUsage.rss();
    while (!ended && sent < 1000) {
      await connection.write(piece);
      sent += 1;
      most = Math.max(most, process.memoryUsage.rss() - before);
    }
    await gone;
    expect(sent).toBeGreaterThanOrEqual(60);
    expect(sent).toBeLessThan(200);
    expect(most).toBeLessThan(64 * MIB);
  });
});
