/** The service survives a crash of its embedded PostgreSQL: it restarts it, and no acknowledged write is lost. */
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, it, vi } from 'vitest';
import { EXIT_CODES } from '../../../src/platform/core/errors/start-failure.ts';
import {
  endProcesses,
  isRunning,
  PASSWORD,
  postgresPid,
  type Service,
  startService,
} from '../../helpers/processes/countersign-process.ts';
import { copyPreparedData, OWNER } from '../../helpers/processes/prepared-data.ts';
import { cleanUp, temporaryFolder } from '../../helpers/processes/real-processes.ts';
import { startReceiver } from '../../helpers/servers/webhook-receiver.ts';
import { storedEvents } from '../../helpers/service/stored-events.ts';

vi.setConfig({ testTimeout: 240_000 });
const KILLS = 3;
const WRITERS = 6;

const receiver = await startReceiver();
afterAll(async () => {
  await endProcesses();
  await cleanUp();
  await receiver.close();
});

async function startWithOwner() {
  const cwd = temporaryFolder();
  const { key } = await copyPreparedData(join(cwd, 'data'));
  const env = { RATE_LIMIT: 'off', LOG_LEVEL: 'info', ALLOW_PRIVATE_ADDRESSES: 'true' };
  const service = await startService({ cwd, env });
  const signedIn = await fetch(`${service.url}/api/v2/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: OWNER, password: PASSWORD }),
  });
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';', 1)[0]!;
  return {
    cwd,
    data: join(cwd, 'data'),
    service,
    key: { 'x-api-key': key },
    session: { cookie },
  };
}

function post(service: Service, path: string, headers: Record<string, string>, body: object) {
  return fetch(`${service.url}/api/v2${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const series = (n: number) => `0198c1f2-7a3b-7c4d-8e5f-${String(n).padStart(12, '0')}`;
const submit = (service: Service, key: Record<string, string>, n: number, content: string) =>
  post(service, '/plans', key, { seriesKey: series(n), content, agentVendor: 'codex' });

it(`kill -9 of the postmaster under load, ${KILLS} times: 503 meanwhile, then everything works again`, async () => {
  const { cwd, data, key, service, session } = await startWithOwner();
  const hook = await post(service, '/webhooks', session, { url: receiver.url });
  expect(hook.status).toBe(201);
  const plan = (await (await submit(service, key, 0, '# Before')).json()) as { seriesId: string };
  const follower = await fetch(`${service.url}/api/v2/plans/${plan.seriesId}/events`, { headers: session });
  const followed = follower.body!.pipeThrough(new TextDecoderStream()).getReader();

  const answered: string[] = [];
  const refusals = new Set<string>();
  let writing = true;
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let count = 0; writing; count += 1) {
      const eventType = `event-${writer}-${count}`;
      const reply = await post(service, '/mcp-sessions/events', key, {
        sessionId: series(writer),
        eventType,
      });
      if (reply.status === 204) answered.push(eventType);
      else {
        refusals.add(`${reply.status} Retry-After: ${reply.headers.get('retry-after')}`);
        await delay(5);
      }
    }
  });
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = answered.length;
    await vi.waitUntil(() => answered.length > before + 50, { timeout: 60_000, interval: 5 });
    const old = postgresPid(data)!;
    process.kill(old, 'SIGKILL');
    await vi.waitUntil(async () => (await fetch(`${service.url}/readyz`)).status === 503, {
      timeout: 10_000,
      interval: 0,
    });
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    await vi.waitUntil(async () => (await fetch(`${service.url}/readyz`)).status === 200, {
      timeout: 60_000,
      interval: 10,
    });
    expect(isRunning(old)).toBe(false);
  }
  writing = false;
  await Promise.all(writers);
  expect([...refusals]).toEqual(['503 Retry-After: 5']);

  const stored = new Set(await storedEvents(cwd));
  expect(answered.filter((eventType) => !stored.has(eventType))).toEqual([]);

  // The change feed, the outbox and the queue work again: a stream receives a change, and a webhook is delivered.
  expect((await submit(service, key, 0, '# After')).status).toBe(200);
  let heard = '';
  while (!heard.includes('event: version_added')) {
    const { done, value } = await followed.read();
    expect(done, 'the follower was cut off').toBe(false);
    heard += value;
  }
  await vi.waitFor(() => expect(receiver.received.map(({ body }) => body).join()).toContain(plan.seriesId), {
    timeout: 60_000,
    interval: 50,
  });
  await followed.cancel();
  expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
});

it('a cluster that can no longer start stops the service, with the exit code and the cause', async () => {
  const { data, service } = await startWithOwner();
  const old = postgresPid(data)!;
  truncateSync(join(data, 'postgres', 'global', 'pg_control'), 100);
  process.kill(old, 'SIGKILL');
  const ended = await service.ended;
  expect(ended.code).toBe(EXIT_CODES.postgres_not_starting.code);
  expect(ended.stdout.match(/PostgreSQL could not be restarted/g)).toHaveLength(6);
  expect(ended.stdout).toMatch(/pg_control.*restarted 6 times within 5 minutes/);
  expect(isRunning(old)).toBe(false);
});
