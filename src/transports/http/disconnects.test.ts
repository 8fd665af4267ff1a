/** Running work is signaled when its client disconnects or the service stops. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { FastifyReply } from 'fastify';
import { afterAll, expect, it } from 'vitest';
import { createDisconnects } from './disconnects.ts';

const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => void server.close());

async function openRequest() {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [, raw] = (await once(server, 'request')) as [unknown, ServerResponse];
  return { client, raw, reply: { raw } as FastifyReply };
}

it('reports a client that had already disconnected', async () => {
  const { client, raw, reply } = await openRequest();
  const closed = once(raw, 'close');
  client.destroy();
  await closed;
  const { cutOff, gone } = createDisconnects(new AbortController().signal)(reply);
  expect([cutOff.aborted, gone.aborted]).toEqual([true, true]);
});

it('ends waits after the reply was sent, without reporting a lost connection', async () => {
  const { client, raw, reply } = await openRequest();
  const { cutOff, gone } = createDisconnects(new AbortController().signal)(reply);
  const closed = once(raw, 'close');
  raw.end('done');
  await closed;
  expect([cutOff.aborted, gone.aborted]).toEqual([false, true]);
  client.destroy();
});

it('ends waits when the service stops', async () => {
  const { client, reply } = await openRequest();
  const stopping = new AbortController();
  const { cutOff, gone } = createDisconnects(stopping.signal)(reply);
  stopping.abort();
  expect([cutOff.aborted, gone.aborted]).toEqual([false, true]);
  client.destroy();
});
