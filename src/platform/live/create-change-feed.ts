/**
 * Wakes up those who wait for changes, on every node. A hint leaves after the commit, never inside it: NOTIFY takes a
 * lock that makes commits wait for each other. Hints are gathered, so that a busy node sends few.
 *
 * A hint may be lost (a connection broke, a node was killed between commit and hint). So whoever waits also looks again
 * at intervals, by the timeout they give to `next`; and after a lost connection all are woken.
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { ChangeFeed, FeedListener } from '../core/change-feed.ts';
import type { Log } from '../core/log.ts';
import { type Connection, type Db, listenTo } from '../db/index.ts';

const CHANNEL = 'countersign_changes';
/** A notification holds less than 8,000 bytes: two hundred ids of 36 and what separates them. */
const MAX_TOPICS = 200;
/** At least so long between two notifications of one node: a busy one sends few, a quiet one at once. */
const GATHER_MS = 15;

export interface NodeFeed extends ChangeFeed {
  /** Called for every topic that changed, wherever that was; also after a break, with undefined: any may have. */
  onChange(listener: (topic: string | undefined) => void): void;
  close(): Promise<void>;
}

export function createChangeFeed(services: { connection: Connection; db: Db; log: Log }): NodeFeed {
  const { connection, db, log } = services;
  const listeners = new Map<string, Set<() => void>>();
  const observers: ((topic: string | undefined) => void)[] = [];
  const outgoing = new Set<string>();
  /** To tell our own notifications, which woke everybody here already. */
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
    onLost: (error) => log.warn({ err: error }, 'the connection that listens for changes was lost'),
  });

  const send = async (): Promise<void> => {
    while (outgoing.size > 0 && !closed) {
      const topics = [...outgoing].slice(0, MAX_TOPICS);
      for (const topic of topics) outgoing.delete(topic);
      await notify(db, node, topics).catch((error: unknown) =>
        log.warn({ err: error }, 'a hint of a change could not be sent'),
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

/** For a process that waits for nothing itself: tells every node that something changed. */
export async function announceOnce(db: Db, topic: string): Promise<void> {
  await notify(db, newSender(), [topic]);
}

const newSender = () => randomBytes(4).toString('hex');

async function notify(db: Db, sender: string, topics: string[]): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, ${[sender, ...topics].join(',')})`.execute(db);
}

function addListener(listeners: Map<string, Set<() => void>>, topic: string): FeedListener {
  /** Set by whatever is announced while nobody is waiting: looking, say. */
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
