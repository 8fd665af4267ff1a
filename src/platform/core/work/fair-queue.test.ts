/** Turns are fair for any order of requests, completions and cancellations. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairQueue, NoTurn, type QueueLimits } from './fair-queue.ts';

const LONG_MS = 600_000;
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

interface Request {
  organizationId: string;
  userId: string;
  credentialId: string;
  state: 'waiting' | 'running' | 'ended' | 'cancelled' | NoTurn['reason'];
  abort: AbortController;
  end?: () => void;
}

/** Each person has every second credential; an ID begins with the ID of what it belongs to. */
const parentOf = (id: string) => id.split('.').slice(0, -1).join('.');

/** Drives a queue and records events in order. */
function drive(limits: QueueLimits) {
  const queue = createFairQueue(limits);
  const requests: Request[] = [];
  const started: Request[] = [];
  const inState = (state: Request['state']) => requests.filter((request) => request.state === state);
  return {
    queue,
    started,
    inState,
    async enter(organization: number, credential: number, maxWaitMs = LONG_MS) {
      const request: Request = {
        organizationId: `${organization}`,
        userId: `${organization}.${credential % 2}`,
        credentialId: `${organization}.${credential % 2}.${credential}`,
        state: 'waiting',
        abort: new AbortController(),
      };
      requests.push(request);
      queue.enter({ caller: request, signal: request.abort.signal }, maxWaitMs).then(
        (end) => {
          request.state = 'running';
          request.end = end;
          started.push(request);
        },
        (error: unknown) => {
          request.state = error instanceof NoTurn ? error.reason : 'cancelled';
        },
      );
      await settled();
      return request;
    },
    async end(request: Request) {
      request.state = 'ended';
      request.end!();
      await settled();
    },
    async cancel(request: Request) {
      request.abort.abort(new Error('cancelled'));
      await settled();
    },
  };
}

type Driver = ReturnType<typeof drive>;

const aLimit = (max: number) => fc.integer({ min: 1, max });
const someLimits = fc.record({
  maxRunning: aLimit(4),
  maxRunningPerCredential: aLimit(3),
  maxWaiting: aLimit(12),
  maxWaitingPerCredential: aLimit(5),
});
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constant('enter' as const), fc.nat(2), fc.nat(3)) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('end' as const), fc.nat(20)) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('cancel' as const), fc.nat(20)) },
  ),
  { maxLength: 60, size: 'max' },
);
type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

async function take(driver: Driver, step: Step): Promise<void> {
  if (step[0] === 'enter') {
    await driver.enter(step[1], step[2]);
    return;
  }
  const some = driver.inState(step[0] === 'end' ? 'running' : 'waiting');
  if (some.length === 0) return;
  await driver[step[0]](some[step[1] % some.length]!);
}

/** Checks an invariant after each step of any sequence. */
const always = (check: (driver: Driver, limits: QueueLimits) => void) =>
  fc.assert(
    fc.asyncProperty(someLimits, steps, async (limits, some) => {
      const driver = drive(limits);
      for (const step of some) {
        await take(driver, step);
        check(driver, limits);
      }
    }),
  );

const countBy = (some: Request[], key: 'organizationId' | 'credentialId') =>
  Map.groupBy(some, (request) => request[key])
    .values()
    .map((group) => group.length)
    .toArray();

describe('a fair queue', () => {
  it('never exceeds its limits', () =>
    always((driver, limits) => {
      const [running, waiting] = [driver.inState('running'), driver.inState('waiting')];
      expect(running.length).toBeLessThanOrEqual(limits.maxRunning);
      expect(Math.max(0, ...countBy(running, 'credentialId'))).toBeLessThanOrEqual(
        limits.maxRunningPerCredential,
      );
      expect(Math.max(0, ...countBy(running, 'organizationId'))).toBeLessThanOrEqual(
        Math.max(1, limits.maxRunning - 1),
      );
      expect(waiting.length).toBeLessThanOrEqual(limits.maxWaiting);
      expect(Math.max(0, ...countBy(waiting, 'credentialId'))).toBeLessThanOrEqual(
        limits.maxWaitingPerCredential,
      );
      expect(driver.queue.load()).toEqual({ running: running.length, waiting: waiting.length });
    }));

  it('runs every request that may run', () =>
    always((driver, limits) => {
      const running = driver.inState('running');
      if (running.length === limits.maxRunning) return;
      for (const { credentialId, organizationId } of driver.inState('waiting')) {
        const ofCredential = running.filter((other) => other.credentialId === credentialId).length;
        const ofOrganization = running.filter((other) => other.organizationId === organizationId).length;
        expect(
          ofCredential === limits.maxRunningPerCredential ||
            ofOrganization === Math.max(1, limits.maxRunning - 1),
        ).toBe(true);
      }
    }));

  it('runs the requests of one credential in order', () =>
    fc.assert(
      fc.asyncProperty(someLimits, steps, async (limits, some) => {
        const driver = drive(limits);
        const entered: Request[] = [];
        for (const step of some) {
          if (step[0] === 'enter') entered.push(await driver.enter(step[1], step[2]));
          else await take(driver, step);
        }
        const order = (requests: Request[]) => Map.groupBy(requests, ({ credentialId }) => credentialId);
        for (const [credentialId, group] of order(driver.started)) {
          const expected = order(entered)
            .get(credentialId)!
            .filter((request) => driver.started.includes(request));
          expect(group).toEqual(expected);
        }
      }),
    ));

  it.each(['organizationId', 'userId', 'credentialId'] as const)(
    'gives no second turn while another with nothing running waits for its first (%s)',
    (key) =>
      fc.assert(
        fc.asyncProperty(someLimits, steps, async (limits, some) => {
          const driver = drive(limits);
          /** For each that waits with nothing running: who had a turn in the meantime. */
          const passed = new Map<string, Set<string>>();
          let seen = 0;
          for (const step of some) {
            await take(driver, step);
            const running = new Set(driver.inState('running').map((request) => request[key]));
            for (const request of driver.started.slice(seen)) {
              for (const [waiter, served] of passed) {
                if (waiter === request[key] || parentOf(waiter) !== parentOf(request[key])) continue;
                expect(served.has(request[key])).toBe(false);
                served.add(request[key]);
              }
            }
            seen = driver.started.length;
            const waiters = new Set(
              driver
                .inState('waiting')
                .map((request) => request[key])
                .filter((id) => !running.has(id)),
            );
            for (const waiter of passed.keys()) if (!waiters.has(waiter)) passed.delete(waiter);
            for (const waiter of waiters) if (!passed.has(waiter)) passed.set(waiter, new Set());
          }
        }),
      ),
  );

  it('runs everything that was not rejected or cancelled, and is empty afterwards', () =>
    fc.assert(
      fc.asyncProperty(someLimits, steps, async (limits, some) => {
        const driver = drive(limits);
        for (const step of some) await take(driver, step);
        for (let running = driver.inState('running'); running.length > 0; running = driver.inState('running'))
          await driver.end(running[0]!);
        expect(driver.inState('waiting')).toEqual([]);
        expect(driver.queue.load()).toEqual({ running: 0, waiting: 0 });
      }),
    ));
});

it('gives a person with one credential as many turns as a person with many', async () => {
  const driver = drive({
    maxRunning: 1,
    maxRunningPerCredential: 1,
    maxWaiting: 20,
    maxWaitingPerCredential: 20,
  });
  for (const credential of [0, 2, 4, 6, 1, 1, 1]) await driver.enter(1, credential);
  while (driver.inState('running').length > 0) await driver.end(driver.inState('running')[0]!);
  const people = driver.started.map(({ userId }) => userId);
  // The second person arrived after the first turn, so their turns start after the second.
  expect(people).toEqual(['1.0', '1.0', '1.1', '1.0', '1.1', '1.0', '1.1']);
});

describe('a request that gets no turn', () => {
  const one = { maxRunning: 2, maxRunningPerCredential: 1, maxWaiting: 2, maxWaitingPerCredential: 1 };

  it('is rejected because of its credential or the node; one that does not have to wait never is', async () => {
    const driver = drive(one);
    await driver.enter(1, 1);
    await driver.enter(1, 1);
    expect(await driver.enter(1, 1)).toMatchObject({ state: 'credential' });
    expect(await driver.enter(1, 2)).toMatchObject({ state: 'waiting' });
    expect(await driver.enter(1, 3)).toMatchObject({ state: 'node' });
    expect(await driver.enter(2, 1)).toMatchObject({ state: 'running' });
  });

  it('says when to retry, based on recent turns', async () => {
    let now = 0;
    const queue = createFairQueue({ ...one, maxWaitingPerCredential: 3, maxWaiting: 9 }, () => now);
    const controller = new AbortController();
    const call = {
      caller: { organizationId: 'a', userId: 'p', credentialId: 'k' },
      signal: controller.signal,
    };
    const end = await queue.enter(call, LONG_MS);
    now = 2000;
    end();
    await queue.enter(call, LONG_MS);
    const waiting = [1, 2, 3].map(() => queue.enter(call, LONG_MS));
    await expect(queue.enter(call, LONG_MS)).rejects.toMatchObject({
      reason: 'credential',
      retryAfterMs: 6000,
    });
    controller.abort();
    const ended = await Promise.allSettled(waiting);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('times out, and those behind it keep their places', async () => {
    const driver = drive({ ...one, maxWaitingPerCredential: 2 });
    const first = await driver.enter(1, 1);
    const second = await driver.enter(1, 1, 0);
    const third = await driver.enter(1, 1);
    while (second.state === 'waiting') await settled();
    expect(second.state).toBe('time');
    await driver.end(first);
    expect(third.state).toBe('running');
  });

  it('does not start when it was already cancelled', async () => {
    const { queue } = drive(one);
    const caller = { organizationId: 'a', userId: 'p', credentialId: 'k' };
    await expect(
      queue.enter({ caller, signal: AbortSignal.abort(new Error('gone')) }, LONG_MS),
    ).rejects.toThrow('gone');
    expect(queue.load()).toEqual({ running: 0, waiting: 0 });
  });
});
