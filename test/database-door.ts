/** A door in front of the test PostgreSQL that can be shut and opened: how an outage looks to the service. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll } from 'vitest';
import type { Connection } from '../src/platform/db/index.ts';

export interface DatabaseDoor {
  /** Leads to the same database, through the door. */
  connection: Connection;
  /** Every connection breaks, and new ones are refused. */
  shut(): Promise<void>;
  /** Connections stay, but nothing passes any more. */
  jam(): void;
  open(): Promise<void>;
}

export async function doorTo(connection: Connection): Promise<DatabaseDoor> {
  const sockets = new Set<Socket>();
  let jammed = false;
  const server = createServer((ours) => {
    const theirs = connect(`${connection.host}/.s.PGSQL.${connection.port ?? 5432}`);
    for (const [from, to] of [
      [ours, theirs],
      [theirs, ours],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => sockets.delete(from) && to.destroy());
      from.on('data', (bytes) => {
        if (!jammed) to.write(bytes);
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
    async shut() {
      const closed = once(server, 'close');
      server.close();
      breakAll();
      await closed;
    },
    jam() {
      jammed = true;
    },
    async open() {
      if (jammed) breakAll(); // What was lost inside them will never be answered.
      jammed = false;
      if (!server.listening) await listen(port);
    },
  };
}
