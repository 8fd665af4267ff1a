/** A real HTTP server that accepts deliveries, records them, and replies as configured by the test. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, vi } from 'vitest';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at deliveries as a receiver without types does.
  json: any;
  path: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Sets the reply from now on; default: 204. */
  answer(reply: (response: ServerResponse, delivery: Received) => void): void;
  /** Waits until this many deliveries have arrived. */
  until(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let reply: (response: ServerResponse, delivery: Received) => void = (response) =>
    response.writeHead(204).end();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const delivery = { headers: request.headers, body, json: parsed(body), path: request.url! };
    received.push(delivery);
    reply(response, delivery);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    answer: (next) => {
      reply = next;
    },
    until: async (count) => {
      await vi.waitFor(() => expect(received.length).toBeGreaterThanOrEqual(count), {
        timeout: 30_000,
        interval: 20,
      });
      return received;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

/** Whether a delivery is signed with this secret, verified like a receiver would. */
export function isSigned({ body, headers }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', key).update(signed).digest('base64');
  return headers['webhook-signature'] === `v1,${expected}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
