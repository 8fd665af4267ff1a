/**
 * Wakes up listeners on every node when something changes. A hint is sent after the commit, never inside it, because
 * NOTIFY takes a lock that serializes commits. Hints are batched, so that a busy node sends few.
 *
 * A hint may be lost (a broken connection, a node killed between commit and hint). So listeners also check again at
 * intervals, using the timeout of `next`, and all of them are woken after a lost connection.
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { ChangeFeed, FeedListener } from '../core/ports/change-feed.ts';
import type { Log } from '../core/telemetry/log.ts';
import { type Connection, type Db, listenTo } from '../db/index.ts';

const CHANNEL = 'countersign_changes';
/** A notification is limited to 8,000 bytes: two hundred ids of 36 characters with separators. */
const MAX_TOPICS = 200;
/** Minimum time between two notifications of a node: a busy one sends few, a quiet one sends immediately. */
const GATHER_MS = 15;

export interface NodeFeed extends ChangeFeed {
  /** Called for every topic that changed on any node; after a lost connection, called with undefined: any may have changed. */
  onChange(listener: (topic: string | undefined) => void): void;
  close(): Promise<void>;
}

export function createChangeFeed(services: {
  connection: Connection;
  db: Db;
  log: Log;
  /** Names this node's connection, from `nameNode`; default: like any other connection. */
  nodeName?: string;
}): NodeFeed {
  const { connection, db, log, nodeName } = services;
  const listeners = new Map<string, Set<() => void>>();
  const observers: ((topic: string | undefined) => void)[] = [];
  const outgoing = new Set<string>();
  /** Identifies our own notifications, whose listeners here were already woken. */
  const node = newSender();
  let sending: Promise<void> | undefined;
  let closed = false;

  const wake = (topic: string) => {
    for (const listener of listeners.get(topic) ?? []) listener();
    for (const observer of observers) observer(topic);
  };
  const wakeAll = () => {
    for (const set of listeners.values()) for (const listener of set) listener();
    for (const observer of observers) observer(undefined);
  };

  const notifications = listenTo(connection, CHANNEL, {
    onNotification(payload) {
      const [sender, ...topics] = payload.split(',');
      if (sender !== node) topics.forEach(wake);
    },
    onConnected: wakeAll,
    onLost: (error) => log.warn({ err: error }, 'lost the connection that listens for changes'),
    name: nodeName,
  });

  const send = async (): Promise<void> => {
    while (outgoing.size > 0 && !closed) {
      const topics = [...outgoing].slice(0, MAX_TOPICS);
      for (const topic of topics) outgoing.delete(topic);
      await notify(db, node, topics).catch((error: unknown) =>
        log.warn({ err: error }, 'could not notify other nodes of a change'),
      );
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    }
    sending = undefined;
  };

  return {
    announce(topic) {
      wake(topic);
      outgoing.add(topic);
      sending ??= send();
    },
    listen: (topic) => addListener(listeners, topic),
    onChange: (observer) => void observers.push(observer),
    async close() {
      closed = true;
      wakeAll();
      await sending;
      await notifications.close();
    },
  };
}

/** For a process without listeners: notifies every node of a change. */
export async function announceOnce(db: Db, topic: string): Promise<void> {
  await notify(db, newSender(), [topic]);
}

const newSender = () => randomBytes(4).toString('hex');

async function notify(db: Db, sender: string, topics: string[]): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, ${[sender, ...topics].join(',')})`.execute(db);
}

function addListener(listeners: Map<string, Set<() => void>>, topic: string): FeedListener {
  /** Set when something is announced between two calls of `next`. */
  let missed = false;
  let wakeUp: (() => void) | undefined;
  const listener = () => {
    missed = true;
    wakeUp?.();
  };
  const set = listeners.get(topic) ?? new Set();
  listeners.set(topic, set.add(listener));
  return {
    async next(timeoutMs, signal) {
      if (!missed && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wakeUp = resolve;
        const timer = setTimeout(resolve, timeoutMs);
        signal.addEventListener('abort', wakeUp);
        await promise;
        clearTimeout(timer);
        signal.removeEventListener('abort', wakeUp);
        wakeUp = undefined;
      }
      missed = false;
    },
    close() {
      set.delete(listener);
      if (set.size === 0) listeners.delete(topic);
    },
  };
}
