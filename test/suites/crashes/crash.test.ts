/** Acknowledged writes survive a crash, and a stop under load lets running requests finish. */

import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import {
  endProcesses,
  findOldNode,
  isRunning,
  postgresPid,
  type Service,
  startService,
} from '../../helpers/processes/countersign-process.ts';
import { copyPreparedData } from '../../helpers/processes/prepared-data.ts';
import { cleanUp, temporaryFolder } from '../../helpers/processes/real-processes.ts';
import { storedEvents } from '../../helpers/service/stored-events.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const SEED = Number(process.env.CRASH_SEED ?? 20_261_115);
const ROUNDS = 2;
const WRITERS = 8;
const EVENTS = '/api/v2/mcp-sessions/events';
const OLD_NODE = findOldNode();
const QUIET = { RATE_LIMIT: 'off', LOG_LEVEL: 'warn' };

afterAll(async () => {
  await endProcesses();
  await cleanUp();
});

/** Seeded random numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function preparedFolder(): Promise<{ cwd: string; key: string }> {
  const cwd = temporaryFolder();
  return { cwd, ...(await copyPreparedData(join(cwd, 'data'))) };
}

const sessionOf = (writer: number) => `0198c1f2-7a3b-7c4d-8e5f-${String(writer).padStart(12, '0')}`;

type Outcome = { status: number } | { closed: string } | { broken: string };
type LastOutcome = Outcome & { eventType: string };

/** Sends one event and returns how it ended: answered, closed before the reply, or cut off during it. */
function send(url: string, key: string, writer: number, eventType: string): Promise<Outcome> {
  return new Promise((settle) => {
    const request = httpRequest(`${url}${EVENTS}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
    });
    request.on('error', (error: Error & { code?: string }) =>
      settle({ closed: error.code ?? error.message }),
    );
    request.on('response', (response) => {
      response.on('error', (error) => settle({ broken: error.message }));
      response.on('end', () => settle({ status: response.statusCode! }));
      response.resume();
    });
    request.end(
      JSON.stringify({ sessionId: sessionOf(writer), eventType, payload: { text: 'x'.repeat(200) } }),
    );
  });
}

/** Writers that send events until a connection fails; `onAnswer` is called for every success. */
async function writeUntilClosed(
  service: Service,
  key: string,
  prefix: string,
  onAnswer: (eventType: string) => void,
): Promise<LastOutcome[]> {
  const ends: LastOutcome[] = [];
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let count = 0; ; count += 1) {
        const eventType = `${prefix}-${writer}-${count}`;
        const outcome = await send(service.url, key, writer, eventType);
        if (!('status' in outcome)) return ends.push({ ...outcome, eventType });
        expect(outcome.status).toBe(204);
        onAnswer(eventType);
      }
    }),
  );
  return ends;
}

describe('kill -9 during writes', () => {
  it(`loses no acknowledged write in ${ROUNDS} rounds (seed ${SEED})`, async () => {
    const random = randomFrom(SEED);
    const { cwd, key } = await preparedFolder();
    const answered = new Set<string>();
    let service = await startService({ cwd, env: QUIET });
    for (let round = 0; round < ROUNDS; round += 1) {
      const postgres = postgresPid(join(cwd, 'data'))!;
      const killAfter = 20 + Math.floor(random() * 400);
      const withPostgres = random() < 0.5;
      let count = 0;
      const ends = await writeUntilClosed(service, key, `round${round}`, (eventType) => {
        answered.add(eventType);
        count += 1;
        if (count !== killAfter) return;
        service.child.kill('SIGKILL');
        if (withPostgres) process.kill(postgres, 'SIGKILL');
      });
      await service.ended;
      expect(ends.filter((end) => 'broken' in end)).toEqual([]);

      service = await startService({ cwd, env: QUIET });
      expect(isRunning(postgres), 'the PostgreSQL of the killed service').toBe(false);
      const stored = await storedEvents(cwd);
      expect(new Set(stored).size, 'no event twice').toBe(stored.length);
      const lost = [...answered].filter((eventType) => !stored.includes(eventType));
      expect(lost, `round ${round}, killed after ${killAfter} answers`).toEqual([]);
      expect(stored.length - answered.size).toBeLessThanOrEqual(WRITERS * (round + 1));
    }
    expect(await service.stop()).toMatchObject({ code: 0 });
  });
});

describe('SIGTERM', () => {
  it('under load: every request is answered or cleanly closed, no process is left, nothing is lost', async () => {
    const { cwd, key } = await preparedFolder();
    const service = await startService({ cwd, env: QUIET });
    const postgres = postgresPid(join(cwd, 'data'))!;
    const answered: string[] = [];
    const ends = await writeUntilClosed(service, key, 'stop', (eventType) => {
      answered.push(eventType);
      if (answered.length === 300) service.child.kill('SIGTERM');
    });
    expect(await service.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    for (const end of ends) {
      expect(end).toMatchObject({ closed: expect.stringMatching(/^(ECONNREFUSED|ECONNRESET|EPIPE)$/) });
    }
    expect(isRunning(postgres)).toBe(false);
    expect(postgresPid(join(cwd, 'data'))).toBeUndefined();

    const again = await startService({ cwd, env: QUIET });
    const stored = new Set(await storedEvents(cwd));
    expect(answered.filter((eventType) => !stored.has(eventType))).toEqual([]);
    expect(
      ends.filter(({ eventType }) => stored.has(eventType)),
      'done, but not answered',
    ).toEqual([]);
    expect(await again.stop()).toMatchObject({ code: 0 });
  });

  /** A request that is in progress: the server has sent 100 Continue and waits for the body. */
  async function openRequest(service: Service, key: string, body: string) {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    let received = '';
    const closed = new Promise<string>((settle) => socket.on('close', () => settle(received)));
    const begun = new Promise<void>((settle) => {
      socket.setEncoding('utf8').on('data', (text: string) => {
        received += text;
        if (received.includes('100 Continue')) settle();
      });
    });
    socket.on('error', () => undefined);
    socket.write(
      `POST ${EVENTS} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\nexpect: 100-continue\r\n\r\n`,
    );
    await begun;
    return { socket, closed };
  }

  it('waits for a running request and accepts no new one', async () => {
    const { cwd, key } = await preparedFolder();
    const service = await startService({ cwd, env: { ...QUIET, LOG_LEVEL: 'info' } });
    const body = JSON.stringify({ sessionId: sessionOf(1), eventType: 'slow' });
    const { socket, closed } = await openRequest(service, key, body);
    service.child.kill('SIGTERM');
    await service.until(/stopping: waiting for running requests to finish/);
    await vi.waitUntil(async () => 'closed' in (await send(service.url, key, 1, 'late')), {
      timeout: 30_000,
      interval: 5,
    });
    socket.write(body);
    expect(await closed).toMatch(/HTTP\/1\.1 204 No Content\r\n(.*\r\n)*connection: close\r\n/i);
    expect(await service.ended).toMatchObject({ code: 0, signal: null });
    const again = await startService({ cwd, env: QUIET });
    expect(await storedEvents(cwd)).toContain('slow');
    await again.stop();
  });

  it.runIf(OLD_NODE)('one Ctrl-C reaches the launcher and the service, and counts once', async () => {
    const { cwd, key } = await preparedFolder();
    const env = { ...QUIET, LOG_LEVEL: 'info' };
    const service = await startService({ cwd, env, node: OLD_NODE, ownGroup: true });
    const body = JSON.stringify({ sessionId: sessionOf(1), eventType: 'slow' });
    const { socket, closed } = await openRequest(service, key, body);
    process.kill(-service.pid, 'SIGINT');
    await service.until(/stopping: waiting for running requests to finish/);
    await vi.waitUntil(async () => 'closed' in (await send(service.url, key, 1, 'late')), {
      timeout: 30_000,
      interval: 5,
    });
    socket.write(body);
    expect(await closed).toContain('204 No Content');
    expect(await service.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  it('cuts off requests that take too long, and still shuts down cleanly', async () => {
    const { cwd, key } = await preparedFolder();
    const service = await startService({ cwd, env: { ...QUIET, SHUTDOWN_TIMEOUT_SECONDS: '1' } });
    const postgres = postgresPid(join(cwd, 'data'))!;
    const { closed } = await openRequest(service, key, 'never sent');
    const before = performance.now();
    const ended = await service.stop();
    expect(performance.now() - before).toBeLessThan(10_000);
    expect(ended).toMatchObject({ code: 0, signal: null });
    expect(ended.stdout).toContain('requests that did not finish in time were cut off');
    expect(await closed).not.toContain('204');
    expect(isRunning(postgres)).toBe(false);
  });

  it('a second signal stops everything immediately, including PostgreSQL', async () => {
    const { cwd, key } = await preparedFolder();
    const service = await startService({ cwd, env: { ...QUIET, LOG_LEVEL: 'info' } });
    const postgres = postgresPid(join(cwd, 'data'))!;
    await openRequest(service, key, 'never sent');
    service.child.kill('SIGINT');
    await service.until(/stopping/);
    // Signals within a second of the first count as the same Ctrl-C.
    await vi.waitUntil(() => !service.child.kill('SIGINT') || service.child.exitCode !== null, {
      timeout: 10_000,
      interval: 100,
    });
    expect(await service.ended).toMatchObject({ code: 130 });
    await vi.waitUntil(() => !isRunning(postgres), { timeout: 10_000, interval: 5 });
    const again = await startService({ cwd, env: QUIET });
    expect(await again.stop()).toMatchObject({ code: 0 });
  });
});
