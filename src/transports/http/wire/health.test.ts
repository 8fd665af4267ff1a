/** Health checks and metrics over real HTTP, and graceful shutdown. */

import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../../test/helpers/database/database.ts';
import { startTestMirrors } from '../../../../test/helpers/git/mirrors.ts';
import { makeOrganization } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey } from '../../../../test/helpers/service/harness.ts';
import { openRaw, rawRequest } from '../../../../test/helpers/service/raw-http.ts';
import {
  countThings,
  createThings,
  makeThing,
  sampleOperations,
} from '../../../../test/helpers/service/sample-operations.ts';
import { testSecrets } from '../../../../test/helpers/service/secrets.ts';
import { createApp } from '../../../app.ts';
import { readConfig } from '../../../config.ts';
import { createCodeHosts, systemEnvironment } from '../../../features/code-hosts/index.ts';
import { createLog } from '../../../platform/core/telemetry/log.ts';
import { systemClock } from '../../../platform/core/text/clock.ts';
import { NodeState } from '../../../platform/core/work/node-state.ts';
import { openDatabase } from '../../../platform/db/index.ts';
import { createChangeFeed } from '../../../platform/live/index.ts';

const service = await startTestService({ operations: sampleOperations });

const metricsOf = async () => {
  const answer = await service.request('GET', '/metrics');
  expect(answer.status).toBe(200);
  return parsePrometheus(answer.body as string);
};

describe('200', () => {
  it('reports that it is alive and ready, and disables caching', async () => {
    for (const [path, status] of [
      ['/healthz', 'alive'],
      ['/readyz', 'ready'],
    ] as const) {
      const answer = await service.request('GET', path);
      expect(answer).toMatchObject({ status: 200, body: { status } });
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('returns metrics that Prometheus can read, with requests by operation and status', async () => {
    const counted = (metrics: Map<string, number>, operation: string, status: number) =>
      metrics.get(
        `countersign_http_request_duration_seconds_count{operation="${operation}",status="${status}",waiting="false"}`,
      ) ?? 0;
    const before = await metricsOf();
    const as = withKey(service.acme.member);
    await service.request('GET', '/api/v2/test/large-thing?size=1', { as });
    await service.request('GET', '/api/v2/test/large-thing?size=1', { as });
    await service.request('GET', '/api/v2/test/large-thing', { as });
    await service.request('GET', '/api/v2/nothing');
    const after = await metricsOf();
    expect(counted(after, 'get-large-thing', 200) - counted(before, 'get-large-thing', 200)).toBe(2);
    expect(counted(after, 'get-large-thing', 400) - counted(before, 'get-large-thing', 400)).toBe(1);
    expect(counted(after, 'none', 404) - counted(before, 'none', 404)).toBe(1);
    expect(after.get('countersign_database_connections{state="waiting"}')).toBe(0);
  });

  it('names no path, key or person in the metrics', async () => {
    const { body } = await service.request('GET', '/metrics');
    expect(body).not.toContain('/api/');
    expect(body).not.toContain(service.acme.member.keyId);
  });

  it('logs health checks at debug level', async () => {
    const answer = await service.request('GET', '/healthz');
    const line = service.logLines.find((text) => text.includes(answer.headers.get('x-request-id')!));
    expect(JSON.parse(line!).level).toBe('debug');
  });
});

describe('401', () => {
  it('is returned by /metrics without the token if one is set', async () => {
    const token = 'a-token-for-the-metrics';
    const guarded = await startTestService({ settings: { METRICS_TOKEN: token } });
    const ask = (authorization?: string) =>
      guarded.request('GET', '/metrics', { headers: authorization === undefined ? {} : { authorization } });
    for (const wrong of [undefined, '', 'Bearer', token, `Bearer ${token}x`, `Basic ${token}`, 'Bearer é']) {
      const answer = await ask(wrong);
      expect(answer.status, wrong).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="metrics"');
    }
    expect((await ask(`Bearer ${token}`)).status).toBe(200);
  });
});

describe('503', () => {
  it('is returned by /readyz as soon as a shutdown starts, while running requests finish', async () => {
    const gate = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const app = await startApp(async () => {
      entered.resolve();
      await gate.promise;
    });
    const connection = await openRaw(app.url);
    const headers = { 'X-Api-Key': app.key, 'Content-Type': 'application/json' };
    await connection.write(rawRequest('POST /api/v2/test/things', headers, '{"name":"late"}'));
    await entered.promise;

    expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
    app.beginShutdown();
    const ready = await fetch(`${app.url}/readyz`);
    expect(ready.status).toBe(503);
    expect(ready.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);

    const closed = app.close();
    await expect.poll(() => isOpen(app.url)).toBe(false);
    gate.resolve();
    const answer = await connection.answer();
    expect(answer.status).toBe(201);
    expect(answer.json().name).toBe('late');
    expect(answer.headers.connection).toBe('close');
    await closed;
    await expect(fetch(`${app.url}/healthz`)).rejects.toThrow();
    expect(await app.countLate()).toBe(1);
    await app.closeDatabase();
  });
});

/** Whether new connections are accepted. */
function isOpen(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );
}

/** A service whose parts the test controls, unlike the harness's. */
async function startApp(beforeReply: () => Promise<void>) {
  const log = createLog({ level: 'silent', terminal: false });
  const database = await openDatabase(await createTestDatabase(), {
    poolSize: 5,
    onConnectionLost: () => undefined,
  });
  await createThings(database.db);
  const feed = createChangeFeed({ connection: database.connection, db: database.db, log });
  const app = await createApp({
    feed,
    state: new NodeState({ db: database.db, secrets: testSecrets }),
    secrets: testSecrets,
    code: startTestMirrors({ db: database.db }).code,
    codeHosts: createCodeHosts(systemEnvironment(false)),
    config: readConfig({ RATE_LIMIT: 'off', PORT: '0' }),
    database,
    operations: [makeThing(beforeReply), ...sampleOperations.filter(({ name }) => name !== 'make-thing')],
    clock: systemClock,
    log,
  });
  const acme = await makeOrganization(database.db, 'Acme', new Date());
  return {
    url: await app.server.listen({ host: '127.0.0.1', port: 0 }),
    key: acme.member.key,
    beginShutdown: app.beginShutdown,
    close: async () => {
      await app.close();
      await feed.close();
    },
    countLate: () => countThings(database.db, 'late'),
    closeDatabase: database.close,
  };
}

/** Each sample by its name and labels; fails on a malformed line. */
function parsePrometheus(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  const typed = new Set<string>();
  for (const line of text.split('\n').filter(Boolean)) {
    const type = /^# TYPE (\w+) (counter|gauge|histogram|summary|untyped)$/.exec(line);
    if (type) typed.add(type[1]!);
    if (line.startsWith('#')) continue;
    const sample =
      /^([a-zA-Z_:][\w:]*)((?:\{(?:\w+="(?:[^"\\]|\\.)*",?)+\})?) (NaN|Nan|[+-]?Inf|[-+.\de]+)$/.exec(line);
    expect(sample, `not a sample: ${line}`).not.toBeNull();
    const [, name, labels, value] = sample!;
    expect(typed, line).toContain(typed.has(name!) ? name : name!.replace(/_(bucket|count|sum)$/, ''));
    samples.set(name! + labels!, Number(value));
  }
  return samples;
}
