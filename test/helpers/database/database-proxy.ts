/** A proxy in front of the test PostgreSQL that simulates outages. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll } from 'vitest';
import type { Connection } from '../../../src/platform/db/index.ts';

export interface DatabaseProxy {
  /** The same database, through the proxy. */
  connection: Connection;
  /** Breaks every connection and refuses new ones. */
  disconnect(): Promise<void>;
  /** Keeps connections open but drops all data. */
  freeze(): void;
  restore(): Promise<void>;
}

export async function proxyTo(connection: Connection): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  let frozen = false;
  const server = createServer((ours) => {
    const theirs = connect(`${connection.host}/.s.PGSQL.${connection.port ?? 5432}`);
    for (const [from, to] of [
      [ours, theirs],
      [theirs, ours],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => sockets.delete(from) && to.destroy());
      from.on('data', (bytes) => {
        if (!frozen) to.write(bytes);
      });
    }
  });
  const listen = async (port: number) => {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  };
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const port = await listen(0);
  afterAll(() => {
    breakAll();
    server.close();
  });
  return {
    connection: { ...connection, host: '127.0.0.1', port },
    async disconnect() {
      const closed = once(server, 'close');
      server.close();
      breakAll();
      await closed;
    },
    freeze() {
      frozen = true;
    },
    async restore() {
      if (frozen) breakAll(); // Requests whose data was dropped would never get a reply.
      frozen = false;
      if (!server.listening) await listen(port);
    },
  };
}
