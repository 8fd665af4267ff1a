/** Waiters are woken on every node when something changes; after a lost connection, all of them are woken. */
import { afterAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/helpers/database/database.ts';
import { proxyTo } from '../../../test/helpers/database/database-proxy.ts';
import { createLog } from '../core/telemetry/log.ts';
import { type Connection, openDatabase } from '../db/index.ts';
import { announceOnce, createChangeFeed, type NodeFeed } from './index.ts';

const log = createLog({ level: 'silent', terminal: false });
const NEVER = new AbortController().signal;
const LONG_MS = 20_000;

/** Called each time the feed has started to listen. */
function connections(feed: NodeFeed): { next(): Promise<void> } {
  let count = 0;
  let seen = 0;
  let wake: (() => void) | undefined;
  feed.onChange((topic) => {
    if (topic !== undefined) return;
    count += 1;
    wake?.();
  });
  return {
    async next() {
      while (count <= seen) await new Promise<void>((resolve) => (wake = resolve));
      seen = count;
    },
  };
}

async function startNode(connection: Connection) {
  const database = await openDatabase(connection, { poolSize: 3, onConnectionLost: () => undefined });
  const feed = createChangeFeed({ connection: database.connection, db: database.db, log });
  const listening = connections(feed);
  await listening.next();
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await feed.close();
    await database.close();
  };
  afterAll(close);
  return { feed, listening, close };
}

/** Whether `next` came before its time was over. */
async function isWoken(waiting: Promise<void>): Promise<boolean> {
  const began = performance.now();
  await waiting;
  return performance.now() - began < LONG_MS - 1000;
}

const connection = await createTestDatabase();
const [one, two] = [await startNode(connection), await startNode(connection)];

describe('announce', () => {
  it('wakes the waiters of the topic on this and other nodes, and no others', async () => {
    const here = one.feed.listen('plan-a');
    const there = two.feed.listen('plan-a');
    const other = two.feed.listen('plan-b');
    let otherWoken = false;
    const gone = new AbortController();
    const otherWaiting = other.next(LONG_MS, gone.signal).then(() => {
      otherWoken = !gone.signal.aborted;
    });
    const waiting = [isWoken(here.next(LONG_MS, NEVER)), isWoken(there.next(LONG_MS, NEVER))];
    one.feed.announce('plan-a');
    expect(await Promise.all(waiting)).toEqual([true, true]);
    gone.abort();
    await otherWaiting;
    expect(otherWoken).toBe(false);
    for (const listener of [here, there, other]) listener.close();
  });

  it('from a process without a feed wakes waiters on every node', async () => {
    const database = await openDatabase(connection, { poolSize: 1, onConnectionLost: () => undefined });
    const listeners = [one.feed.listen('plan-d'), two.feed.listen('plan-d')];
    const waiting = listeners.map((listener) => isWoken(listener.next(LONG_MS, NEVER)));
    await announceOnce(database.db, 'plan-d');
    expect(await Promise.all(waiting)).toEqual([true, true]);
    for (const listener of listeners) listener.close();
    await database.close();
  });

  it('is not missed by a waiter that is reading at the time', async () => {
    const listener = one.feed.listen('plan-c');
    one.feed.announce('plan-c');
    expect(await isWoken(listener.next(LONG_MS, NEVER))).toBe(true);
    listener.close();
  });

  it('reaches the other node for each of a thousand concurrent topics', async () => {
    const topics = Array.from(
      { length: 1000 },
      (_, index) => `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`,
    );
    const listeners = topics.map((topic) => two.feed.listen(topic));
    const waiting = listeners.map((listener) => isWoken(listener.next(LONG_MS, NEVER)));
    for (const topic of topics) one.feed.announce(topic);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]));
    for (const listener of listeners) listener.close();
  });
});

describe('next', () => {
  it('ends after its timeout, and immediately when the caller disconnects', async () => {
    const listener = one.feed.listen('plan-d');
    await listener.next(1, NEVER);
    expect(await isWoken(listener.next(LONG_MS, AbortSignal.abort()))).toBe(true);
    const gone = new AbortController();
    const waiting = isWoken(listener.next(LONG_MS, gone.signal));
    gone.abort();
    expect(await waiting).toBe(true);
    listener.close();
  });
});

describe('a lost connection', () => {
  it('is restored automatically, wakes all waiters, and receives later announcements', async () => {
    const proxy = await proxyTo(connection);
    const node = await startNode(proxy.connection);
    const listener = node.feed.listen('plan-e');
    const waiting = isWoken(listener.next(LONG_MS, NEVER));
    await proxy.disconnect();
    one.feed.announce('plan-e');
    await proxy.restore();
    await node.listening.next();
    expect(await waiting).toBe(true);
    const again = isWoken(listener.next(LONG_MS, NEVER));
    one.feed.announce('plan-e');
    expect(await again).toBe(true);
    listener.close();
    await node.close();
  });
});

describe('close', () => {
  it('wakes all waiters', async () => {
    const node = await startNode(connection);
    const waiting = isWoken(node.feed.listen('plan-f').next(LONG_MS, NEVER));
    await node.close();
    expect(await waiting).toBe(true);
  });
});
