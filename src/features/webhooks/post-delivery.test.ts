/** One attempt against real servers: what is sent, what counts, and every way in which it can go wrong. */
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startReceiver } from '../../../test/helpers/servers/webhook-receiver.ts';
import { type Attempt, postDelivery } from './post-delivery.ts';

const receiver = await startReceiver();
afterAll(() => receiver.close());
afterEach(() => {
  receiver.received.length = 0;
  receiver.answer((response) => void response.writeHead(204).end());
});

const attempt = (some: Partial<Attempt> = {}) =>
  postDelivery({
    url: receiver.url,
    headers: { 'webhook-id': 'x' },
    body: '{"title":"Grüße"}',
    allowPrivateAddresses: true,
    signal: new AbortController().signal,
    ...some,
  });

/** A server that speaks no HTTP, or not in time. */
async function rawServer(onData: (socket: import('node:net').Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => onData(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

describe('an attempt', () => {
  it('posts the body as JSON with the headers given, on a connection of its own', async () => {
    expect(await attempt()).toEqual({
      status: 204,
      note: null,
      retryAfterMs: 0,
      durationMs: expect.any(Number),
    });
    expect(receiver.received[0]).toMatchObject({
      path: '/hooks',
      body: '{"title":"Grüße"}',
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'x',
        'user-agent': 'Countersign',
        connection: 'close',
      },
    });
  });

  it('keeps how the reply begins: 1 KB of it as text that PostgreSQL can hold', async () => {
    receiver.answer((response) => void response.writeHead(200).end(Buffer.from([0, 0xff, 0x41])));
    expect((await attempt()).note).toBe('\ufffd\ufffdA');
    receiver.answer((response) => void response.writeHead(500).end(' x'.repeat(5000)));
    const { note, status } = await attempt();
    expect([status, note!.length]).toEqual([500, 1023]);
  });

  it('reads no further than 4 KB, however long the reply goes on', async () => {
    receiver.answer((response) => {
      response.writeHead(200);
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(1024)));
      };
      response.on('drain', write);
      write();
    });
    expect((await attempt()).status).toBe(200);
  });

  it('ends at a reply that switches protocols, and at one that never comes whole', async () => {
    const switching = await rawServer((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n'),
    );
    expect(await attempt({ url: switching.url })).toMatchObject({
      status: 101,
      note: expect.stringMatching(/protocol/),
    });
    switching.close();
    const leaving = await rawServer((socket) => socket.end('HTTP/1.1 '));
    expect(await attempt({ url: leaving.url })).toMatchObject({ status: null, note: expect.any(String) });
    leaving.close();
  });

  it('goes by the status, also when the rest of the reply never comes', async () => {
    receiver.answer((response) => void response.writeHead(200).write('half'));
    expect(await attempt({ timeoutMs: 200 })).toMatchObject({ status: 200, note: 'half' });
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect: %i', async (status) => {
    receiver.answer((response) => void response.writeHead(status, { location: receiver.url }).end());
    expect(await attempt()).toMatchObject({ status, note: expect.stringMatching(/redirect/) });
    expect(receiver.received).toHaveLength(1);
  });
});

describe('what goes wrong', () => {
  it('is no reply in time', async () => {
    receiver.answer(() => undefined);
    expect(await attempt({ timeoutMs: 100 })).toMatchObject({
      status: null,
      note: 'No response within 0.1 seconds.',
    });
  });

  it('is a refused connection, a closed one, a name that is not there, and a reply that is none', async () => {
    const closing = await rawServer((socket) => socket.destroy());
    const babbling = await rawServer((socket) => socket.end('HELLO\r\n\r\n'));
    const gone = await rawServer(() => undefined);
    gone.close();
    const noteOf = async (url: string) => (await attempt({ url })).note;
    expect(await noteOf(gone.url)).toBe('The connection was refused.');
    expect(await noteOf(closing.url)).toBe('The connection was closed before a response was received.');
    expect(await noteOf(babbling.url)).toMatch(/^The request failed: /);
    expect(await noteOf('http://nowhere.invalid/?secret=hidden')).toMatch(/^The host name /);
    closing.close();
    babbling.close();
  });

  it('is a TLS connection that cannot be made', async () => {
    const server = createHttpsServer({
      SNICallback: (_name, done) => done(new Error('no certificate')),
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect(await attempt({ url })).toMatchObject({
      status: null,
      note: expect.stringMatching(/^The (request failed|connection was closed)/),
    });
    server.close();
  });

  it('never tells the query of the URL', async () => {
    for (const url of ['http://127.0.0.1:1/?key=hidden', 'http://nowhere.invalid/?key=hidden']) {
      expect((await attempt({ url })).note).not.toContain('hidden');
    }
  });

  it('is an attempt that is broken off, which fails and is no outcome', async () => {
    const controller = new AbortController();
    receiver.answer(() => controller.abort(new Error('stop')));
    await expect(attempt({ signal: controller.signal })).rejects.toThrow('stop');
  });
});

describe('a private address', () => {
  it.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433'])(
    'is not connected to unless that is allowed: %s',
    async (host) => {
      const url = receiver.url.replace('127.0.0.1', host);
      expect(await attempt({ url, allowPrivateAddresses: false })).toMatchObject({
        status: null,
        note: 'Not sent: the host has a loopback or private address.',
      });
      expect(receiver.received).toEqual([]);
    },
  );
});
