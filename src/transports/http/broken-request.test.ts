/** How a socket that received malformed HTTP is handled. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { replyToBrokenRequest } from './broken-request.ts';

const lines: string[] = [];
const log = createLog({
  level: 'info',
  terminal: false,
  destination: { write: (line) => void lines.push(line) },
});
const server = createServer({ allowHalfOpen: true });

beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => server.close());

/** Both ends of a connection; neither closes because the other did. */
async function connected(): Promise<{ ours: Socket; theirs: Socket }> {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const { address, port } = server.address() as AddressInfo;
  const theirs = connect({ host: address, port, allowHalfOpen: true });
  const [ours] = await accepted;
  ours.on('error', () => undefined);
  theirs.on('error', () => undefined);
  return { ours, theirs };
}

function reply(socket: Socket, code: string): void {
  const error = Object.assign(new Error('broken'), { code });
  replyToBrokenRequest(error, socket, { site: { baseUrl: 'http://x.test' }, log });
}

describe('the reply', () => {
  it.each([
    ['HPE_INVALID_METHOD', 400, 'invalid_request'],
    ['HPE_HEADER_OVERFLOW', 431, 'header_too_large'],
    ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'request_timeout'],
  ])('to %s has status %d and code %s', async (code, status, problemCode) => {
    const { ours, theirs } = await connected();
    reply(ours, code);
    const [head, body] = (await text(theirs)).split('\r\n\r\n');
    theirs.end();
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toContain('Connection: close');
    const problem = JSON.parse(body!);
    expect(problem).toMatchObject({
      status,
      code: problemCode,
      type: `http://x.test/docs/errors#${problemCode}`,
    });
    expect(lines.join('')).toContain(problem.requestId);
  });
});

describe('the connection', () => {
  it('is closed even when the client never disconnects', async () => {
    const { ours, theirs } = await connected();
    const gone = once(ours, 'close');
    reply(ours, 'HPE_INVALID_METHOD');
    await gone;
    expect(ours.destroyed).toBe(true);
    theirs.destroy();
  });

  it('is dropped without a reply when the client is gone', async () => {
    const { ours, theirs } = await connected();
    reply(ours, 'ECONNRESET');
    expect(ours.destroyed).toBe(true);
    expect(await text(theirs)).toBe('');
    theirs.destroy();
  });

  it('is dropped without a reply while the previous reply is being sent', async () => {
    const { ours, theirs } = await connected();
    Object.assign(ours, { _httpMessage: { headersSent: true } });
    reply(ours, 'HPE_INVALID_METHOD');
    expect(ours.destroyed).toBe(true);
    expect(await text(theirs)).toBe('');
    theirs.destroy();
  });
});
