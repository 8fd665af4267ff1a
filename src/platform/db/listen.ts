/** Listens to PostgreSQL notifications on a dedicated connection and reconnects automatically. */
import pg from 'pg';
import type { Connection } from './connection.ts';
import { driverOptions } from './database.ts';

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;

export interface NotificationListener {
  close(): Promise<void>;
}

/**
 * `onConnected` is called each time listening starts: earlier notifications were missed. Notifications are only hints,
 * so a lost connection is not an error; it is reported to `onLost` and reopened.
 */
export function listenTo(
  connection: Connection,
  channel: string,
  handlers: {
    onNotification(payload: string): void;
    onConnected(): void;
    onLost(error: Error): void;
    /** Shown by PostgreSQL as `application_name`. */
    name?: string | undefined;
  },
): NotificationListener {
  let closed = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let retryMs = FIRST_RETRY_MS;

  const connect = async (): Promise<void> => {
    const mine = new pg.Client({
      ...driverOptions(connection),
      ...(handlers.name && { application_name: handlers.name }),
      keepAlive: true,
    });
    client = mine;
    const lost = (error: Error) => {
      if (client !== mine || closed) return;
      client = undefined;
      handlers.onLost(error);
      void mine.end().catch(() => undefined);
      timer = setTimeout(() => void connect(), retryMs);
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
    };
    mine.on('error', lost);
    mine.on('end', () => lost(new Error('The connection that listens for changes ended.')));
    mine.on('notification', ({ payload }) => handlers.onNotification(payload ?? ''));
    try {
      await mine.connect();
      await mine.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      retryMs = FIRST_RETRY_MS;
      if (!closed) handlers.onConnected();
    } catch (error) {
      lost(error as Error);
    }
  };
  const connecting = connect();

  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await connecting;
      await client?.end().catch(() => undefined);
    },
  };
}
