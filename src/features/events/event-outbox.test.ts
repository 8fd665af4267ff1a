/** Every event is handled once and in order, by one worker or several, even if other events fail. */
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/helpers/database/database.ts';
import { addEvent, makePlan } from '../../../test/helpers/rows/plan-rows.ts';
import { makeOrganization } from '../../../test/helpers/service/factories.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { openDatabase } from '../../platform/db/index.ts';
import { lockIdleCodeHosts } from '../code-hosts/index.ts';
import { lockIdlePlans } from '../plans/index.ts';
import { lockIdlePullRequests } from '../pull-requests/index.ts';
import { createEventOutbox, type EventHandler, type OutboxEvent } from './event-outbox.ts';
import type { LockIdle } from './event-outbox-store.ts';

const database = await openDatabase(await createTestDatabase(), {
  poolSize: 12,
  onConnectionLost: () => undefined,
});
const { db } = database;
afterAll(() => database.close());
const acme = await makeOrganization(db, 'Acme', new Date());
const NOW = new Date('2026-11-15T12:00:00.000Z');
const later = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const lines: string[] = [];
const log = createLog({
  level: 'info',
  terminal: false,
  destination: { write: (line) => void lines.push(line) },
});
const outboxOf = (...handlers: EventHandler[]) =>
  createEventOutbox({
    handlers,
    lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
    log,
    announce: () => undefined,
  });
const nothing: EventHandler = async () => [];

beforeEach(async () => {
  await outboxOf(nothing).run(db, NOW);
  lines.length = 0;
});

/** A handler that keeps what it was given, and the order of each plan. */
function collector() {
  const events: OutboxEvent[] = [];
  const handler: EventHandler = async (_db, given) => {
    events.push(...given);
    return [];
  };
  const numbersOf = (planId: string) =>
    events.filter((event) => event.subjectId === planId).map((event) => Number(event.number));
  return { events, handler, numbersOf };
}

const newPlan = () => makePlan(db, acme.member);
const newEvent = (plan: Parameters<typeof addEvent>[1], kind = 'status_changed', at = NOW) =>
  addEvent(db, plan, acme.member, kind, { from: 'pending', to: 'closed' }, at);
const unhandled = async () => {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count
    FROM event_outbox o JOIN events e ON e.subject_id = o.subject_id AND e.number > o.handled`.execute(db);
  return rows[0]!.count;
};

describe('the outbox', () => {
  it('passes each event to handlers once, then removes the plan', async () => {
    const plan = await newPlan();
    const { events, handler } = collector();
    const outbox = outboxOf(handler);
    expect(await outbox.run(db, NOW)).toBe(1);
    expect(events).toEqual([
      {
        subjectKind: 'plan',
        subjectId: plan.id,
        number: '1',
        organizationId: acme.id,
        kind: 'plan_created',
        actorKind: 'session',
        actorUserId: acme.member.userId,
        data: { version: 1, versionId: plan.versionId, title: 'A plan' },
        createdAt: expect.any(Date),
      },
    ]);
    expect(await outbox.run(db, NOW)).toBe(0);
    const left = await db
      .selectFrom('event_outbox')
      .select('subject_id')
      .where('subject_id', '=', plan.id)
      .execute();
    expect(left).toEqual([]);
  });

  it('handles more than one batch, and each plan in order even if clocks ran backwards', async () => {
    const [first, second] = [await newPlan(), await newPlan()];
    for (let count = 0; count < 150; count += 1) await newEvent(first, 'status_changed', later(-count));
    for (let count = 0; count < 150; count += 1) await newEvent(second, 'status_changed', later(-50_000));
    const { handler, numbersOf } = collector();
    expect(await outboxOf(handler).run(db, NOW)).toBe(302);
    const inOrder = Array.from({ length: 151 }, (_, index) => index + 1);
    expect(numbersOf(first.id)).toEqual(inOrder);
    expect(numbersOf(second.id)).toEqual(inOrder);
  });

  it('announces subjects that handlers added events to, once each and after the commit', async () => {
    const plan = await newPlan();
    await newEvent(plan);
    const announced: [string, number][] = [];
    let unhandledThen = Promise.resolve(-1);
    const outbox = createEventOutbox({
      lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
      handlers: [async (_db, events) => events.map((event) => event.subjectId), async () => [plan.id]],
      announce: (planId) => {
        unhandledThen = unhandled();
        announced.push([planId, 1]);
      },
      log,
    });
    await outbox.run(db, NOW);
    expect(announced).toEqual([[plan.id, 1]]);
    expect(await unhandledThen).toBe(0);
  });

  it('removes finished subjects of each kind by the lock of that kind', async () => {
    const [plan, busy] = [await newPlan(), await newPlan()];
    const other = uuidv7();
    await sql`INSERT INTO events (subject_kind, subject_id, number, organization_id, kind, actor_kind, data, created_at)
      VALUES ('pull_request', ${other}, 1, ${acme.id}, 'pull_request_opened', 'service', '{}', ${NOW})`.execute(
      db,
    );
    await sql`INSERT INTO event_outbox (subject_kind, subject_id, organization_id, handled)
      VALUES ('pull_request', ${other}, ${acme.id}, 0)`.execute(db);
    const asked: string[][] = [];
    const lockOther: LockIdle = (_db, ids) => {
      asked.push(ids);
      return sql`SELECT ${other}::uuid AS id, 1::bigint AS last_event`;
    };
    const lockIdle = { plan: lockIdlePlans, pull_request: lockOther, code_host: lockOther };
    const { handler, numbersOf } = collector();
    const outbox = createEventOutbox({ handlers: [handler], lockIdle, log, announce: () => undefined });
    await db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('plans').select('id').where('id', '=', busy.id).forUpdate().execute();
      await outbox.run(db, NOW);
    });
    expect([plan.id, busy.id, other].map(numbersOf)).toEqual([[1], [1], [1]]);
    expect(asked).toEqual([[other]]);
    const left = await db.selectFrom('event_outbox').select('subject_id').execute();
    expect(left).toEqual([{ subject_id: busy.id }]);
  });

  it('handles events that handlers add', async () => {
    const plan = await newPlan();
    const { handler, numbersOf } = collector();
    const adding: EventHandler = async (transaction, events) => {
      if (!events.some((event) => event.number === '1')) return [];
      await addEvent(transaction, plan, null, 'comments_addressed', {}, NOW);
      return [plan.id];
    };
    expect(await outboxOf(handler, adding).run(db, NOW)).toBe(2);
    expect(numbersOf(plan.id)).toEqual([1, 2]);
  });
});

describe('several workers', () => {
  it('handle each event once, and the events of a plan in order', async () => {
    const plans = await Promise.all(Array.from({ length: 12 }, newPlan));
    const { events, handler, numbersOf } = collector();
    const workers = Array.from({ length: 4 }, () => outboxOf(handler));
    const adding = plans.map(async (plan) => {
      for (let count = 0; count < 20; count += 1) await newEvent(plan);
    });
    let done = false;
    const running = workers.map(async (worker) => {
      while (!done) await worker.run(db, NOW);
    });
    await Promise.all(adding);
    done = true;
    await Promise.all(running);
    await workers[0]!.run(db, NOW);
    expect(events).toHaveLength(plans.length * 21);
    const inOrder = Array.from({ length: 21 }, (_, index) => index + 1);
    for (const plan of plans) expect(numbersOf(plan.id)).toEqual(inOrder);
    expect(await unhandled()).toBe(0);
  });

  it('skip a plan that another worker has locked, and handle the others', async () => {
    const [held, free] = [await newPlan(), await newPlan()];
    const entered = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const slow: EventHandler = async () => {
      entered.resolve();
      await release.promise;
      return [];
    };
    const { handler, numbersOf } = collector();
    // Only the held plan's event is left, so the other plan is free.
    await db.deleteFrom('event_outbox').where('subject_id', '=', free.id).execute();
    const first = outboxOf(slow).run(db, NOW);
    await entered.promise;
    await newEvent(held);
    await newEvent(free);
    await outboxOf(handler).run(db, NOW);
    expect([numbersOf(held.id), numbersOf(free.id)]).toEqual([[], [2]]);
    release.resolve();
    expect(await first).toBe(1);
    expect(await outboxOf(handler).run(db, NOW)).toBe(1);
    expect(await unhandled()).toBe(0);
  });
});

describe('an event that cannot be handled', () => {
  const refusing = (planId: string, number: string): EventHandler => {
    return async (transaction, events) => {
      if (events.some((event) => event.subjectId === planId && event.number === number)) {
        await sql`SELECT 1 / 0`.execute(transaction);
      }
      return [];
    };
  };

  it('blocks only its own plan, is retried, and is skipped in the end', async () => {
    const [sick, well] = [await newPlan(), await newPlan()];
    for (let count = 0; count < 3; count += 1) await Promise.all([newEvent(sick), newEvent(well)]);
    const { handler, numbersOf } = collector();
    const outbox = outboxOf(refusing(sick.id, '2'), handler);
    let now = NOW;
    await outbox.run(db, now);
    expect([numbersOf(sick.id), numbersOf(well.id)]).toEqual([[1], [1, 2, 3, 4]]);

    // Not before its time, whatever else happens meanwhile.
    await newEvent(well);
    await outbox.run(db, now);
    expect([numbersOf(sick.id), numbersOf(well.id)]).toEqual([[1], [1, 2, 3, 4, 5]]);
    expect(lines).toHaveLength(1);

    for (let tries = 0; tries < 4; tries += 1) {
      now = new Date(now.getTime() + 60_000);
      await outbox.run(db, now);
    }
    expect(numbersOf(sick.id)).toEqual([1, 3, 4]);
    expect(await unhandled()).toBe(0);
    const levels = lines.map((line) => JSON.parse(line).level);
    expect(levels).toEqual(['warn', 'warn', 'warn', 'warn', 'error']);
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ subjectId: sick.id, number: '2' });
  });

  it('is handled if a retry succeeds', async () => {
    const plan = await newPlan();
    await newEvent(plan);
    let broken = true;
    const { handler, numbersOf } = collector();
    const outbox = outboxOf(async (transaction) => {
      if (broken) await sql`SELECT 1 / 0`.execute(transaction);
      return [];
    }, handler);
    await outbox.run(db, NOW);
    broken = false;
    await outbox.run(db, later(60_000));
    expect(numbersOf(plan.id)).toEqual([1, 2]);
  });

  it('rolls back what other handlers wrote for its batch', async () => {
    const plan = await newPlan();
    const writing: EventHandler = async (transaction) => {
      await transaction.updateTable('plans').set({ title: 'written' }).where('id', '=', plan.id).execute();
      return [];
    };
    await outboxOf(writing, refusing(plan.id, '1')).run(db, NOW);
    const row = await db.selectFrom('plans').select('title').where('id', '=', plan.id).executeTakeFirst();
    expect(row!.title).toBe('A plan');
  });

  it('is not skipped because PostgreSQL is unavailable', async () => {
    await newPlan();
    const ending: EventHandler = async (transaction) => {
      await sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(transaction);
      return [];
    };
    const outbox = outboxOf(ending);
    for (let tries = 0; tries < 7; tries += 1) {
      await expect(outbox.run(db, later(tries * 60_000))).rejects.toThrow();
    }
    expect(await unhandled()).toBe(1);
    expect(lines).toEqual([]);
  });
});

describe('events of a plan that is being changed', () => {
  it('are handled without waiting for the change; its own events are handled after its commit', async () => {
    const plan = await newPlan();
    const { handler, numbersOf } = collector();
    await db.transaction().execute(async (transaction) => {
      await addEvent(transaction, plan, acme.member, 'status_changed', {}, NOW);
      await outboxOf(handler).run(db, NOW);
    });
    expect(numbersOf(plan.id)).toEqual([1]);
    await outboxOf(handler).run(db, NOW);
    expect(numbersOf(plan.id)).toEqual([1, 2]);
  });
});
