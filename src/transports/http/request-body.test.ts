/** Reading a body from a real socket: exact limits, and clients that disconnect. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRaw, rawRequest, sendRaw } from '../../../test/helpers/service/raw-http.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import type { IncomingBody } from './bytes-in-flight.ts';
import { type JsonBody, readJsonBody } from './request-body.ts';

const LIMIT = 100;
const UNLIMITED: IncomingBody = { begin: () => undefined, hold: () => undefined };
const outcomes: PromiseWithResolvers<JsonBody | Problem>[] = [];
const server = createServer((message, response) => {
  const outcome = outcomes.shift()!;
  readJsonBody(message, LIMIT, UNLIMITED)
    .then(outcome.resolve, outcome.resolve)
    .then(() => response.end('done'));
});
let url = '';

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

function nextOutcome(): Promise<JsonBody | Problem> {
  const outcome = Promise.withResolvers<JsonBody | Problem>();
  outcomes.push(outcome);
  return outcome.promise;
}

async function read(headers: Record<string, string>, body: string): Promise<JsonBody | Problem> {
  const outcome = nextOutcome();
  await sendRaw(url, rawRequest('POST /', headers, body));
  return outcome;
}

const chunked = (...parts: string[]) =>
  [...parts, ''].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('');
const textOf = (length: number) => `"${'a'.repeat(length - 2)}"`;
const TOO_LARGE = { code: 'payload_too_large', status: 413 };

describe('a body', () => {
  it('of exactly the limit is read, one byte more is not, by Content-Length', async () => {
    expect(await read({}, textOf(LIMIT))).toMatchObject({ value: 'a'.repeat(LIMIT - 2) });
    expect(await read({}, textOf(LIMIT + 1))).toMatchObject(TOO_LARGE);
  });

  it('of exactly the limit is read, one byte more is not, in chunks', async () => {
    const headers = { 'Transfer-Encoding': 'chunked' };
    const whole = textOf(LIMIT);
    expect(await read(headers, chunked(whole.slice(0, 60), whole.slice(60)))).toMatchObject({ text: whole });
    const more = textOf(LIMIT + 1);
    expect(await read(headers, chunked(more.slice(0, 100), more.slice(100)))).toMatchObject(TOO_LARGE);
  });

  it('counts bytes, not characters', async () => {
    expect(await read({}, `"${'é'.repeat(49)}"`)).toMatchObject({ value: 'é'.repeat(49) });
    expect(await read({}, `"${'é'.repeat(50)}"`)).toMatchObject(TOO_LARGE);
  });

  it('keeps its original bytes and text', async () => {
    const body = ' {"a" : 1.0} ';
    const outcome = (await read({}, body)) as JsonBody;
    expect(outcome.bytes.toString()).toBe(body);
    expect(outcome.text).toBe(body);
    expect(outcome.value).toEqual({ a: 1 });
  });

  it('that is empty has no value', async () => {
    expect(await read({ 'Content-Length': '0' }, '')).toMatchObject({ value: undefined, text: '' });
  });
});

describe('a client that disconnects', () => {
  it('while sending its body causes an invalid request, not a server error', async () => {
    const outcome = nextOutcome();
    const connection = await openRaw(url);
    await connection.write(rawRequest('POST /', { 'Content-Length': '50' }, '{"name":'));
    connection.socket.destroy();
    const problem = await outcome;
    expect(problem).toBeInstanceOf(Problem);
    expect(problem).toMatchObject({
      code: 'invalid_request',
      message: 'The body is incomplete.',
    });
  });

  it('while sending a body that is too large ends the reading', async () => {
    const outcome = nextOutcome();
    const connection = await openRaw(url);
    await connection.write(rawRequest('POST /', { 'Content-Length': '5000' }, 'x'.repeat(1000)));
    connection.socket.destroy();
    expect(await outcome).toMatchObject(TOO_LARGE);
  });
});
