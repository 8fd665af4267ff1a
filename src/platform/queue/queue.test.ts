/** The queue on a real PostgreSQL: jobs are committed with their transaction, run once, and survive crashes of a node. */
import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, inject, it, vi } from 'vitest';
import { z } from 'zod';
import { createTestDatabase } from '../../../test/helpers/database/database.ts';
import { createLog } from '../core/telemetry/log.ts';
import { configureTracing, type FinishedSpan } from '../core/telemetry/tracing.ts';
import { type Connection, openDatabase, withConnection } from '../db/index.ts';
import { createQueue, defineJob, type JobKind, type Queue } from './index.ts';

const connection = await createTestDatabase();
const database = await openDatabase(connection, { poolSize: 6, onConnectionLost: () => undefined });
const { db } = database;
const lines: string[] = [];
const log = createLog({
  level: 'info',
  terminal: false,
  destination: { write: (line) => void lines.push(line) },
});
const queues: Queue[] = [];
afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.stop()));
  lines.length = 0;
});
afterAll(() => database.close());

let made = 0;
const newName = () => {
  made += 1;
  return `kind-${made}`;
};

async function startQueue(kinds: JobKind[], to: Connection = connection): Promise<Queue> {
  const queue = createQueue({ connection: to, log });
  queues.push(queue);
  queue.start(kinds, 0);
  await queue.whenStarted;
  return queue;
}
/** A kind of job that notes what it ran. */
function noting(handle: (n: string, signal: AbortSignal) => Promise<void> = async () => undefined) {
  const ran: string[] = [];
  const kind: JobKind = {
    name: newName(),
    maxSeconds: 60,
    async handle({ n }, signal) {
      ran.push(n!);
      await handle(n!, signal);
    },
  };
  return { kind, ran };
}
const send = async (queue: Queue, name: string, numbers: (number | string)[], more: object = {}) => {
  await queue.send(
    db,
    name,
    numbers.map((n) => ({ data: { n: String(n) }, ...more })),
  );
  queue.wake(name);
};
const statesOf = async (name: string) => {
  const { rows } = await sql<{ state: string; n: string }>`
    SELECT state::text, data->>'n' AS n FROM pgboss.job WHERE name = ${name} ORDER BY created_on, id`.execute(
    db,
  );
  return rows;
};
const eventually = (check: () => Promise<void> | void) =>
  vi.waitFor(check, { timeout: 40_000, interval: 20 });

describe('a job', () => {
  it('runs after its transaction is committed, and never if that is rolled back', async () => {
    const { kind, ran } = noting();
    const queue = await startQueue([kind]);
    await db.transaction().execute(async (transaction) => {
      await queue.send(transaction, kind.name, [{ data: { n: 'kept' } }]);
      expect(await statesOf(kind.name)).toEqual([]);
    });
    await expect(
      db.transaction().execute(async (transaction) => {
        await queue.send(transaction, kind.name, [{ data: { n: 'undone' } }]);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    queue.wake(kind.name);
    await eventually(async () =>
      expect(await statesOf(kind.name)).toEqual([{ state: 'completed', n: 'kept' }]),
    );
    expect(ran).toEqual(['kept']);
  });

  it('runs at its scheduled time and not before', async () => {
    const { kind, ran } = noting();
    const queue = await startQueue([kind]);
    await send(queue, kind.name, ['tomorrow'], { startAfter: new Date(Date.now() + 86_400_000) });
    await send(queue, kind.name, ['soon'], { startAfter: new Date(Date.now() + 500) });
    await send(queue, kind.name, ['now']);
    await eventually(() => expect(ran).toEqual(['now', 'soon']));
    const states = await statesOf(kind.name);
    expect(states.find(({ n }) => n === 'tomorrow')!.state).toBe('created');
  });

  it('is retried when it fails, without delaying others', async () => {
    const { kind, ran } = noting(async (n) => {
      if (n === '1' && ran.filter((done) => done === '1').length === 1) throw new Error('no luck');
    });
    const spans: FinishedSpan[] = [];
    configureTracing({ record: (span) => void spans.push(span), ratio: 1, followsParent: true });
    const queue = await startQueue([kind]);
    await send(queue, kind.name, [1, 2]);
    await eventually(async () =>
      expect((await statesOf(kind.name)).map(({ state }) => state)).toEqual(['completed', 'completed']),
    );
    configureTracing(undefined);
    expect(ran.toSorted()).toEqual(['1', '1', '2']);
    expect(
      spans
        .map(({ failure, kind, name }) => [name, kind, failure])
        .toSorted((a, b) => String(a[2]).localeCompare(String(b[2]))),
    ).toEqual([
      [kind.name, 'consumer', 'Error'],
      [kind.name, 'consumer', undefined],
      [kind.name, 'consumer', undefined],
    ]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', job: kind.name, err: { message: 'no luck' } },
    ]);
  });

  it('keeps why it failed, without secrets', async () => {
    const { kind } = noting(async () => {
      throw new Error('refused https://ada:hunter2@git.example');
    });
    const queue = await startQueue([kind]);
    await send(queue, kind.name, [1]);
    await eventually(async () => {
      const { rows } =
        await sql`SELECT output FROM pgboss.job WHERE name = ${kind.name} AND state = 'retry'`.execute(db);
      expect(rows).toEqual([{ output: { message: 'refused https://…@git.example' } }]);
    });
  });

  it('runs on one of several nodes', async () => {
    const { kind, ran } = noting();
    const nodes = await Promise.all(Array.from({ length: 3 }, () => startQueue([kind])));
    const numbers = Array.from({ length: 120 }, (_, index) => String(index));
    await nodes[0]!.send(
      db,
      kind.name,
      numbers.map((n) => ({ data: { n } })),
    );
    for (const node of nodes) node.wake(kind.name);
    await eventually(async () =>
      expect((await statesOf(kind.name)).filter(({ state }) => state === 'completed')).toHaveLength(120),
    );
    expect(ran.toSorted()).toEqual(numbers.toSorted());
  });
});

describe('a defined job', () => {
  const wanted = new Set(['1', '2', '3']);
  const claimed: string[][] = [];
  const define = (name: string, ran: number[]) =>
    defineJob({
      name,
      payload: z.object({ n: z.coerce.number<string>().int() }),
      maxSeconds: 60,
      due: {
        batch: 2,
        claim: async () => {
          claimed.push([...wanted].slice(0, 2));
          return claimed.at(-1)!;
        },
        mark: async (_db, rows) => {
          for (const n of rows) wanted.delete(n);
        },
        request: (n) => ({ data: { n } }),
      },
      run: async (_services: object, { n }) => void ran.push(n),
    });

  it('is claimed and queued in batches until nothing is due, but not before the queue has started', async () => {
    const ran: number[] = [];
    const job = define(newName(), ran);
    const queue = createQueue({ connection, log });
    queues.push(queue);
    await job.queueDue({ db, queue });
    expect(claimed).toEqual([]);
    queue.start([{ ...job, handle: async (data, signal) => void (await job.run({}, data, signal)) }], 0);
    await queue.whenStarted;
    await job.queueDue({ db, queue });
    expect(claimed).toEqual([['1', '2'], ['3']]);
    await eventually(() => expect(ran.toSorted()).toEqual([1, 2, 3]));
  });

  it('does not run with a payload that it does not understand', async () => {
    const ran: number[] = [];
    const { signal } = new AbortController();
    await expect(async () => define('never', ran).run({}, { n: 'two' }, signal)).rejects.toThrow(
      'expected number',
    );
    expect(ran).toEqual([]);
  });
});

describe('many jobs', () => {
  it('of one group that never finish leave slots for others', async () => {
    const release = Promise.withResolvers<void>();
    const { kind, ran } = noting((n) => (n.startsWith('slow') ? release.promise : Promise.resolve()));
    const queue = await startQueue([kind]);
    await send(
      queue,
      kind.name,
      Array.from({ length: 40 }, (_, index) => `slow ${index}`),
      { group: 'slow' },
    );
    await eventually(() => expect(ran.length).toBeGreaterThanOrEqual(5));
    await send(queue, kind.name, ['quick'], { group: 'quick' });
    await eventually(() => expect(ran).toContain('quick'));
    expect(ran.length).toBeLessThan(15);
    release.resolve();
    await eventually(() => expect(ran).toHaveLength(41));
  });

  it('of one group never use more than its share of the slots', async () => {
    const release = Promise.withResolvers<void>();
    const { kind, ran } = noting(() => release.promise);
    const queue = await startQueue([{ ...kind, maxAtOnce: 4, maxPerGroup: 2 }]);
    await send(queue, kind.name, ['a 0'], { group: 'a' });
    await eventually(() => expect(ran).toEqual(['a 0']));
    await send(queue, kind.name, ['a 1', 'a 2', 'a 3', 'a 4'], { group: 'a', priority: 1 });
    await send(queue, kind.name, ['b 0', 'b 1', 'b 2'], { group: 'b' });
    await eventually(() => expect(ran).toHaveLength(4));
    expect(ran.map((n) => n.charAt(0)).toSorted()).toEqual(['a', 'a', 'b', 'b']);
    release.resolve();
    await eventually(() => expect(ran).toHaveLength(8));
  });
});

describe('stopping', () => {
  it('waits for running jobs, and starts no more', async () => {
    const entered = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const { kind, ran } = noting(() => {
      entered.resolve();
      return release.promise;
    });
    // With its only slot taken, the queue isn't fetching when it is stopped.
    const queue = await startQueue([{ ...kind, maxAtOnce: 1 }]);
    await send(queue, kind.name, [1]);
    await entered.promise;
    const stopping = queue.stop();
    await queue.send(db, kind.name, [{ data: { n: '2' } }]);
    expect(queue.started()).toBe(false);
    release.resolve();
    await stopping;
    expect(await statesOf(kind.name)).toEqual([
      { state: 'completed', n: '1' },
      { state: 'created', n: '2' },
    ]);
    expect(ran).toEqual(['1']);
  });

  it('aborts jobs that do not finish, and another node runs them again', async () => {
    const entered = Promise.withResolvers<void>();
    let hangs = true;
    const { kind, ran } = noting(async (_n, signal) => {
      entered.resolve();
      if (hangs)
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const queue = await startQueue([kind]);
    await send(queue, kind.name, [1]);
    await entered.promise;
    await queue.stop();
    expect(await statesOf(kind.name)).toEqual([{ state: 'retry', n: '1' }]);
    hangs = false;
    await startQueue([kind]);
    await eventually(async () => expect(await statesOf(kind.name)).toEqual([{ state: 'completed', n: '1' }]));
    expect(ran).toEqual(['1', '1']);
  });

  it('works before the queue has started', async () => {
    const queue = createQueue({ connection, log });
    queue.start([], 0);
    await queue.stop();
    const never = createQueue({ connection, log });
    never.start([], 60_000);
    await never.stop();
    expect(never.started()).toBe(false);
  });
});

describe('PostgreSQL', () => {
  it('can drop every connection: jobs run again as soon as it is back', async () => {
    const { kind, ran } = noting();
    const queue = await startQueue([kind]);
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'countersign queue'`.execute(db);
    await eventually(() => send(queue, kind.name, [1]));
    await eventually(() => expect(ran).toEqual(['1']));
  });

  it('can become available later: the queue starts then, and its log contains no password', async () => {
    const { kind, ran } = noting();
    const server = inject('postgres');
    const later = { ...server, database: `later_${process.pid}` };
    const queue = createQueue({ connection: later, log });
    queues.push(queue);
    queue.start([kind], 0);
    await eventually(() => expect(lines.join('')).toContain('could not start the queue'));
    await withConnection(server, (client) => client.query(`CREATE DATABASE ${later.database}`));
    await queue.whenStarted;
    const there = await openDatabase(later, { poolSize: 1, onConnectionLost: () => undefined });
    await queue.send(there.db, kind.name, [{ data: { n: '1' } }]);
    queue.wake(kind.name);
    await eventually(() => expect(ran).toEqual(['1']));
    await there.close();
    if (server.password) expect(lines.join('')).not.toContain(server.password);
  });
});
